import CardKit
import Foundation
import KeyKit
import TestSupport
import Testing

/// What is loaded as a module for cards, and what they sign.
struct CardModuleTests {
    /// Returns the error that loading a module ends with.
    private func error(_ path: String) -> CardError? {
        do throws(CardError) { _ = try CardModule(path) } catch { return error }
        return nil
    }

    @Test func onlyAFileOfRootIsLoaded() throws {
        guard case .untrustedModule("m.so", _) = error("m.so") else {
            Issue.record("a relative path is loaded")
            return
        }
        let folder = try TemporaryFolder()
        let file = folder.path("m.so")
        try Data().write(to: URL(filePath: file))
        let link = folder.path("link.so")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/usr/lib/os-release")
        for path in [file, link] {
            guard case .untrustedModule(path, let reason) = error(path) else {
                Issue.record("\(path) is loaded")
                continue
            }
            #expect(reason.contains("others"), "\(reason)")
        }
    }

    /// A file below folders of root that root alone can change, and each change by which others could change it.
    @Test(.enabled(if: geteuid() == 0, "skipped: needs root"))
    func everyOtherWayToChangeAModuleIsSeen() throws {
        let folder = "/var/lib/latchkey-test-\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? files.removeItem(atPath: folder) }
        let file = folder + "/m.so"
        try Data("no module".utf8).write(to: URL(filePath: file))
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        // Root alone can change it, so it would be loaded if it were a module.
        guard case .unusableModule = error(file) else {
            Issue.record("\(error(file).debugDescription)")
            return
        }
        func expectRefusal(_ path: String, _ words: String) {
            guard case .untrustedModule(path, let reason) = error(path) else {
                Issue.record("\(path) is loaded, or not for this reason: \(words)")
                return
            }
            #expect(reason.contains(words), "\(reason)")
        }
        for mode in [0o666, 0o664] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            expectRefusal(file, "by others")
        }
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try #require(chown(file, 65_534, 0) == 0)
        expectRefusal(file, "by others")
        try #require(chown(file, 0, 0) == 0)
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        expectRefusal(file, "below \(folder)")
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        // A link of root that leads to where others can write.
        let others = try TemporaryFolder()
        try Data("no module".utf8).write(to: URL(filePath: others.path("m.so")))
        let link = folder + "/link.so"
        try files.createSymbolicLink(atPath: link, withDestinationPath: others.path("m.so"))
        expectRefusal(link, "which others can change")
        // Modules that load what the user's files and environment name.
        for name in ["p11-kit-proxy.so", "libp11-kit.so.0.3.0", "p11-kit-client.so", "pkcs11-spy.so"] {
            let relay = folder + "/" + name
            try Data("no module".utf8).write(to: URL(filePath: relay))
            expectRefusal(relay, "passes the PIN on")
            let renamed = folder + "/named.so"
            try files.createSymbolicLink(atPath: renamed, withDestinationPath: relay)
            expectRefusal(renamed, "passes the PIN on")
            try files.removeItem(atPath: renamed)
        }
    }

    @Test func whatIsNoModuleIsRefused() {
        for path in ["/usr/lib/os-release", "/nonexistent/m.so"] {
            guard case .unusableModule(path, _) = error(path) else {
                Issue.record("\(path) is loaded")
                continue
            }
        }
    }

    /// One answer for each scheme: the table of what a card may be asked for.
    @Test func everySchemeIsDecided() {
        for scheme in SignatureScheme.all {
            let isPossible: Bool =
                switch scheme {
                case .ecdsa(_, _, let input): input == .digest
                case .rsaPKCS1(let hash, let input): input == .digest && [.sha256, .sha384, .sha512].contains(hash)
                case .ed25519: true
                case .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .rsaPSS: false
                }
            #expect(CardModule.canSign(scheme) == isPossible, "\(scheme)")
        }
    }
}
