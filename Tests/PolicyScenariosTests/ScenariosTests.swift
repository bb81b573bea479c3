import Foundation
import PolicyScenarios
import TestSupport
import Testing

/// Scenario files played from a test in Swift.
@Suite struct ScenariosTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func write(_ text: String, as name: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
    }

    @Test func whatFailsIsTold() throws {
        try write(
            "name: it locks\nsteps: [lock]\n---\nname: it does not\nsteps: [ { lock, expect: refused } ]", as: "a.yaml")
        let played = try Scenarios.play(folder.url.path)
        #expect((played.count, played.steps) == (2, 2))
        #expect(played.failures.count == 1)
        #expect(played.failures.first?.contains("it does not") == true)
        #expect(played.failures.first?.contains("actual      happened") == true)
        #expect(try Scenarios.play(folder.path("a.yaml"), threads: 1).failures == played.failures)
        #expect(try Scenarios.play(folder.path("a.yaml"), threads: 0).failures == played.failures, "one at least")
    }

    @Test func whatIsNotUnderstoodIsThrown() throws {
        try write("name: x\nsteps: [lokc]", as: "a.yaml")
        try write("include: nowhere.yaml", as: "b.yaml")
        let error = #expect(throws: Scenarios.ReadingError.self) { try Scenarios.play(folder.url.path) }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 2)
        #expect(lines.first == "\(folder.path("a.yaml")):2:9: unknown step \"lokc\": did you mean lock?")
        #expect(throws: Scenarios.ReadingError.self) { try Scenarios.play(folder.path("c.yaml")) }
    }
}
