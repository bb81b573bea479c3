import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Files that another user could change are not used.
@Suite struct PAMTrustTests {
    private let stack: PAMStack

    init() throws {
        stack = try PAMStack()
        #expect(try stack.verdict() == .accepted)
    }

    /// Expects that the verdict is `untrusted`, with these words.
    private func expectUntrusted(_ name: String, _ words: String, _ location: SourceLocation = #_sourceLocation) throws
    {
        let what = try stack.verdict().untrusted
        #expect(
            what?.contains(name) == true && what?.contains(words) == true, "\(what ?? "-")", sourceLocation: location)
    }

    private func link(_ path: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    /// The agent asks no service that another program of its user could have written.
    @Test func aServiceOfTheUserIsNotRootsAlone() throws {
        let authenticator = PAMAuthenticator(
            service: stack.service, folder: stack.folder, user: stack.user, patience: PAMAuthenticator.patience,
            among: nil, trusting: nil)
        let untrusted = authenticator.authenticate(try SecureBytes("correct horse")).verdict.untrusted
        #expect(untrusted?.contains("by others than root") == true, "\(untrusted ?? "-")")
        #expect(authenticator.trouble != nil)
    }

    @Test func aMissingServiceIsNotTheOtherOne() throws {
        try FileManager.default.moveItem(atPath: stack.serviceFile, toPath: stack.folder + "/other")
        #expect(try stack.verdict() == .unavailable(.noService(stack.serviceFile)))
    }

    @Test func aMissingFolderIsNone() throws {
        let authenticator = PAMAuthenticator(service: "any", folder: "/nowhere/at/all")
        #expect(authenticator.authenticate(try SecureBytes("x")).verdict.untrusted?.contains("No such file") == true)
    }

    @Test func anEmptyServiceAcceptsNobody() throws {
        try stack.writeText("")
        #expect(try stack.verdict() == .unavailable(.refusedUnasked))
    }

    @Test func garbageAcceptsNobody() throws {
        for garbage in [
            "complete nonsense\n", "auth\n", "[[[[[", "auth required\n", String(repeating: "x ", count: 9000),
        ] {
            try stack.writeText(garbage)
            let verdict = try stack.verdict()
            #expect(verdict.trouble != nil && verdict.untrusted == nil, "\(verdict)")
        }
        try stack.writeText("auth required pam_permit.so\0\n")
        try expectUntrusted("latchkey-test", "is not text")
        try stack.writeText(String(repeating: "# much too long\n", count: 5000))
        try expectUntrusted("latchkey-test", "simpler")
    }

    @Test(arguments: [0o666, 0o620, 0o602])
    func aServiceThatOthersCanWriteToIsNotGoneBy(_ mode: Int) throws {
        try PAMStack.restrict(stack.serviceFile, mode)
        try expectUntrusted("latchkey-test", "written to by others")
    }

    @Test func aServiceThatIsALinkIsNotGoneBy() throws {
        try FileManager.default.moveItem(atPath: stack.serviceFile, toPath: stack.path("elsewhere"))
        try link(stack.serviceFile, to: stack.path("elsewhere"))
        try expectUntrusted("latchkey-test", "symbolic link")
        try link(stack.serviceFile, to: "/nowhere")
        try expectUntrusted("latchkey-test", "symbolic link")
    }

    @Test func aServiceThatIsNoFileIsNotGoneBy() throws {
        try FileManager.default.removeItem(atPath: stack.serviceFile)
        try FileManager.default.createDirectory(atPath: stack.serviceFile, withIntermediateDirectories: false)
        try expectUntrusted("latchkey-test", "kind of file")
        try FileManager.default.removeItem(atPath: stack.serviceFile)
        #expect(mkfifo(stack.serviceFile, 0o600) == 0)
        try expectUntrusted("latchkey-test", "kind of file")
    }

    @Test(arguments: [0o777, 0o770, 0o1777])
    func aFolderThatOthersCanWriteToIsNotGoneBy(_ mode: Int) throws {
        try PAMStack.restrict(stack.folder, mode)
        try expectUntrusted(stack.folder, "written to by others")
    }

    @Test func aFolderBelowOneThatOthersCanWriteToIsNotGoneBy() throws {
        try PAMStack.restrict(stack.path(""), 0o777)
        try expectUntrusted(stack.folder, "others may write to")
        try PAMStack.restrict(stack.path(""), 0o700)
        #expect(try stack.verdict() == .accepted)
    }

    @Test func aFolderHasToBeAbsoluteAndNoLink() throws {
        try link(stack.path("link"), to: stack.folder)
        for (folder, words) in [("pam.d", "absolute"), ("", "absolute"), (stack.path("link"), "symbolic link")] {
            let authenticator = PAMAuthenticator(service: stack.service, folder: folder)
            let what = authenticator.authenticate(try SecureBytes("x")).verdict.untrusted
            #expect(what?.contains(words) == true, "\(what ?? "-")")
        }
    }

    @Test func aFolderBehindALinkThatOthersCouldTurnIsNotGoneBy() throws {
        // open/way leads to the stack's folder. A user who can write to `open` can redirect it.
        let open = stack.path("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try link(open + "/way", to: stack.path(""))
        try link(stack.path("first"), to: open + "/way")
        let authenticator = PAMAuthenticator(
            service: stack.service, folder: stack.path("first") + "/pam.d", user: stack.user)
        #expect(authenticator.authenticate(try SecureBytes("correct horse")).verdict == .accepted)
        try PAMStack.restrict(open, 0o777)
        #expect(authenticator.authenticate(try SecureBytes("correct horse")).verdict.untrusted?.contains(open) == true)
    }

    @Test(arguments: [0o722, 0o702, 0o720])
    func aModuleThatOthersCanWriteToIsNotLoaded(_ mode: Int) throws {
        try PAMStack.restrict(stack.module, mode)
        try expectUntrusted("pam_latchkey_test.so", "written to by others")
    }

    @Test func aModuleBehindALinkIsLookedAtWhereItIs() throws {
        let open = stack.path("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: stack.module, toPath: open + "/module.so")
        try link(stack.path("link.so"), to: open + "/module.so")
        let line = "required \(stack.path("link.so")) passdb=\(stack.passcodes)"
        try stack.write(["auth \(line)", "account \(line)"])
        #expect(try stack.verdict() == .accepted)
        try PAMStack.restrict(open + "/module.so", 0o777)
        try expectUntrusted("link.so", "written to by others")
        try PAMStack.restrict(open + "/module.so", 0o700)
        try PAMStack.restrict(open, 0o777)
        try expectUntrusted("link.so", open)
    }

    @Test func aMissingModuleThatOthersCouldBringIsNotWaitedFor() throws {
        let open = stack.path("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try PAMStack.restrict(open, 0o777)
        try stack.write(["auth required \(open)/missing.so", "account required pam_permit.so"])
        try expectUntrusted("missing.so", open)
    }

    @Test func aModuleIsNamedPlainlyOrWhole() throws {
        for name in ["../../../tmp/evil.so", "x/../y.so", "/lib/$ISA/evil.so", "$ISA/evil.so"] {
            try stack.write(["auth required \(name)", "account required pam_permit.so"])
            try expectUntrusted(name, "use a plain or an absolute one")
        }
    }

    /// Swift takes a slash and an accent for one character. For the system, the slash ends the name of a folder.
    @Test func anAccentAfterASlashHidesNoFolder() throws {
        let open = stack.path("open"), module = open + "/\u{301}module.so"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: stack.module, toPath: module)
        try stack.write(["auth required \(module) behave=ok", "account required \(module)"])
        #expect(try stack.verdict() == .accepted)
        try PAMStack.restrict(open, 0o777)
        try expectUntrusted("module.so", open)
    }

    @Test func everyLineOfTheServiceIsLookedAt() throws {
        try FileManager.default.copyItem(atPath: stack.module, toPath: stack.path("open.so"))
        try PAMStack.restrict(stack.path("open.so"), 0o777)
        let good = try String(contentsOfFile: stack.serviceFile, encoding: .utf8)
        let module = stack.path("open.so")
        for line in [
            "auth optional \(module)", "-auth optional \(module)", "auth [default=ignore] \(module)",
            "session optional \(module)", "password \\\n optional \\\n \(module)", "AUTH OPTIONAL \(module)",
            "auth optional [\(module)]",
        ] {
            try stack.writeText(good + line + "\n")
            try expectUntrusted("open.so", "written to by others")
        }
        try stack.writeText(good + "# auth optional \(module)\n")
        #expect(try stack.verdict() == .accepted)
    }

    @Test(arguments: ["@include FILE", "auth include FILE", "auth substack FILE", "-auth include FILE"])
    func anIncludedFileIsLookedAtWithItsModules(_ line: String) throws {
        let included = stack.path("included"), arguments = "required \(stack.module) passdb=\(stack.passcodes)"
        try stack.write(["auth \(arguments)"], to: "../included")
        try stack.write([line.replacing("FILE", with: included), "account \(arguments)"])
        #expect(try stack.verdict() == .accepted)
        try PAMStack.restrict(included, 0o666)
        try expectUntrusted("included", "written to by others")
        try PAMStack.restrict(included, 0o600)
        try PAMStack.restrict(stack.module, 0o777)
        try expectUntrusted("pam_latchkey_test.so", "written to by others")
    }

    @Test func theOtherServiceIsLookedAtToo() throws {
        try stack.write(["auth required pam_deny.so"], to: "other")
        #expect(try stack.verdict() == .accepted)
        try PAMStack.restrict(stack.folder + "/other", 0o666)
        try expectUntrusted("other", "written to by others")
        try PAMStack.restrict(stack.folder + "/other", 0o600)
        try stack.write(["auth required \(stack.path("open.so"))"], to: "other")
        try Data().write(to: URL(filePath: stack.path("open.so")))
        try PAMStack.restrict(stack.path("open.so"), 0o666)
        try expectUntrusted("open.so", "written to by others")
    }

    @Test func filesThatIncludeEachOtherComeToAnEnd() throws {
        // A file that is included twice is read once, and the chain of files has a limit.
        for index in 0..<40 {
            try stack.write(["@include \(stack.folder)/deep\(index + 1)"], to: "deep\(index)")
        }
        try stack.write(["@include \(stack.folder)/deep0"])
        try expectUntrusted("deep", "deep")
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "/etc/pam.d/login", "../pam.d/latchkey-test", "Login", "a b", "a\nb", "a\0b", "é",
    ])
    func aServiceIsNamedAsLibpamReadsIt(_ name: String) throws {
        let authenticator = PAMAuthenticator(service: name, folder: stack.folder)
        let what = authenticator.authenticate(try SecureBytes("x")).verdict.untrusted
        #expect(what?.contains("no name of a PAM service") == true, "\(what ?? "-")")
    }
}
