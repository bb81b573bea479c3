import Foundation
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Tests of files that include others in hostile ways.
@Suite struct HostileIncludeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func write(_ text: String, as name: String) throws {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Returns the mistakes of a scenario that includes these files, without the path of the folder.
    private func said(including names: String) throws -> [String] {
        try write("name: x\ninclude: \(names)\nsteps: [lock]", as: "run/main.yaml")
        let mistakes = try ScenarioFile(folder.path("run/main.yaml")).mistakes.map(\.description)
        return mistakes.map { $0.replacingOccurrences(of: folder.path("run") + "/", with: "") }
    }

    @Test func nothingComesFromOutsideOfTheFolder() throws {
        try write("items: {a: }", as: "outside.yaml")
        try write("", as: "run/in/there.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("run/link.yaml"), withDestinationPath: folder.path("outside.yaml"))
        let outside = "is outside the folder of the file that is run: move it there"
        #expect(try said(including: "../outside.yaml") == ["main.yaml:2:10: ../outside.yaml \(outside)"])
        #expect(try said(including: "link.yaml") == ["main.yaml:2:10: link.yaml \(outside)"])
        #expect(try said(including: "in/../../outside.yaml") == ["main.yaml:2:10: in/../../outside.yaml \(outside)"])
        #expect(
            try said(including: "/etc/passwd") == [
                "main.yaml:2:10: this path is absolute: write it relative to the folder of this file"
            ])
        #expect(try said(including: "missing.yaml") == ["main.yaml:2:10: no such file: missing.yaml"])
    }

    @Test func whatIsNoFileIsNotWaitedFor() throws {
        try write("", as: "run/in/there.yaml")
        #expect(mkfifo(folder.path("run/pipe.yaml"), 0o600) == 0)
        #expect(
            try said(including: "[pipe.yaml, in]") == [
                "main.yaml:2:11: pipe.yaml: not a regular file", "main.yaml:2:22: in: not a regular file",
            ])
    }

    @Test(arguments: 1...3) func aCircleIsAMistake(length: Int) throws {
        for place in 0..<length {
            try write("include: c\((place + 1) % length).yaml\nitems: {i\(place): }", as: "run/c\(place).yaml")
        }
        let said = try said(including: "c0.yaml")
        #expect(said == ["c\(length - 1).yaml:1:10: c0.yaml includes itself through this line"])
    }

    @Test func whatTwoFilesIncludeIsDeclaredOnce() throws {
        try write("items: {c: }", as: "run/c.yaml")
        try write("include: c.yaml\nitems: {a: }", as: "run/a.yaml")
        try write("include: sub/../c.yaml\nitems: {b: }", as: "run/b.yaml")
        try write("", as: "run/sub/x.yaml")
        #expect(try said(including: "[a.yaml, b.yaml, c.yaml]") == [])
        let scenario = try #require(try ScenarioFile(folder.path("run/main.yaml")).scenarios.first)
        #expect(scenario.items.map(\.name) == ["a", "c", "b"])
        try write("items: {a: }", as: "run/d.yaml")
        #expect(try said(including: "[a.yaml, d.yaml]") == ["a.yaml:2:9: \"a\" is also declared at d.yaml:1:9"])
    }

    /// Thirty files that each include the next one twice would be read a billion times.
    @Test func includingTwiceIsNoMoreThanOnce() throws {
        for place in 0..<30 {
            try write(
                "include: [f\(place + 1).yaml, f\(place + 1).yaml]\nitems: {i\(place): }", as: "run/f\(place).yaml")
        }
        try write("items: {last: }", as: "run/f30.yaml")
        #expect(try said(including: "f0.yaml") == [])
    }

    @Test func aHundredFilesAreEnough() throws {
        for place in 0...100 { try write("items: {i\(place): }", as: "run/f\(place).yaml") }
        let names = "[\((0...100).map { "f\($0).yaml" }.joined(separator: ", "))]"
        #expect(
            try said(including: names).map { $0.suffix(34) }
                == ["more than 100 files are included"[...]].map { ": " + $0 })
    }

    /// Every document of a file has its own includes, though each file is read only once.
    @Test func documentsSpendWhatTheyInclude() throws {
        try write("items: {\((0..<2000).map { "i\($0): " }.joined(separator: ", "))}", as: "run/many.yaml")
        let document = "name: x\ninclude: many.yaml\nsteps: [lock]\n---\n"
        try write(String(repeating: document, count: 3000), as: "run/documents.yaml")
        let file = try ScenarioFile(folder.path("run/documents.yaml"))
        #expect(
            file.mistakes.first?.message.hasPrefix("with its rows and included files, the file holds more")
                == true)
    }
}
