import Foundation
import TestSupport
import Testing

/// docs/architecture.md and CONTRIBUTING.md agree with the sources.
@Suite(.waitsForProcesses) struct ArchitecturePageTests {
    private static let page = "docs/architecture.md"

    private func text(_ page: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
    }

    private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    /// A code mark names a file by its path, or by the end of its path below `Sources`.
    @Test(arguments: [page, "CONTRIBUTING.md"]) func everyFileThatAPageNamesIsThere(_ page: String) throws {
        let text = try text(page)
        let sources = try FileManager.default.subpathsOfDirectory(
            atPath: Repository.root.appending(path: "Sources").path)
        let names = text.matches(of: #/`([\w+.\/-]+)`/#).map { String($0.1) }.filter { name in
            name.hasSuffix(".swift")
                || ["Sources/", "Tests/", "Fixtures/", "Scripts/", "docs/"].contains { name.hasPrefix($0) }
        }
        #expect(names.count >= 20)
        for name in Set(names) where !isThere(Repository.root.appending(path: name)) {
            let found = sources.filter { "/\($0)".hasSuffix("/\(name)") }
            #expect(found.count == 1, "\(name): \(found)")
        }
        let links = text.matches(of: #/\]\(([^)#:]+)(#[^)]*)?\)/#).map { String($0.1) }
        #expect(!links.isEmpty)
        let folder = Repository.root.appending(path: page).deletingLastPathComponent()
        for link in Set(links) { #expect(isThere(folder.appending(path: link).standardizedFileURL), "\(link)") }
    }

    @Test func theMapStaysShort() throws {
        let lines = try text(Self.page).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 120)
    }

    @Test func theModulesAreDrawnAsTheTableHasThem() throws {
        let script = Repository.root.appending(path: "Scripts/draw-modules")
        let run = try Command.run(["--check"], program: script)
        #expect(run.status == 0, "\(run.errors)")
    }
}
