import Foundation
import TestSupport
import Testing

/// Tests of the manifest on the page about testing.
@Suite(.waitsForProcesses, .enabled(if: Toolchain.isThere, "skipped: needs swiftc")) struct ManifestTests {
    private struct Manifest: Decodable {
        struct Product: Decodable { let name: String }

        struct Target: Decodable {
            let name: String
            let dependencies: [Dependency]
            let pluginUsages: [PluginUsage]?
        }

        struct Dependency: Decodable { let product: [Part?]? }

        struct PluginUsage: Decodable { let plugin: [String?]? }

        /// The name of a product or of its package, or a condition, which has no name.
        struct Part: Decodable {
            let text: String?
            init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
        }

        let products: [Product]
        let targets: [Target]
    }

    /// Returns what SwiftPM reads from a manifest.
    private func manifest(_ text: String) throws -> Manifest {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.path("Package.swift"), atomically: false, encoding: .utf8)
        let (status, output) = try Toolchain.run([
            "swift", "package", "dump-package", "--package-path", folder.path(""), "--scratch-path",
            folder.path("scratch"), "--cache-path", folder.path("cache"), "--manifest-cache", "none",
            "--disable-sandbox",
        ])
        try #require(status == 0, "\(output)")
        let json = output.drop { $0 != "{" }
        return try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
    }

    @Test func theManifestWithEverythingUsesProductsThatExist() throws {
        let blocks = try text("docs/testing.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.filter { $0.hasPrefix("// swift-tools-version") }
        #expect(blocks.count == 1)
        let shown = try manifest(try #require(blocks.first))
        let products = Set(try manifest(try text("Package.swift")).products.map(\.name))
        let app = try #require(shown.targets.first { $0.name == "Notes" })
        let tests = try #require(shown.targets.first { $0.name == "NotesTests" })
        func names(of target: Manifest.Target) -> Set<String> {
            Set(target.dependencies.compactMap { ($0.product?.first ?? nil)?.text })
        }
        func plugins(of target: Manifest.Target) -> Set<String> {
            Set((target.pluginUsages ?? []).compactMap { $0.plugin?.first ?? nil })
        }
        #expect(names(of: app) == ["Security", "LocalAuthentication", "LatchkeyCryptoKit", "LatchkeyFiles"])
        #expect(plugins(of: app) == ["ExportSecurity", "ProtectFiles"] && names(of: tests) == ["LatchkeyTesting"])
        #expect(products.isSuperset(of: names(of: app).union(plugins(of: app)).union(names(of: tests))))
    }
}
