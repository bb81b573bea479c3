import AccessPolicy
import Foundation
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Every file of `Fixtures/scenarios` shows what its sentence says.
@Suite struct FixtureTests {
    @Test func everyFileIsUnderstoodAndEveryScenarioPasses() throws {
        let fixtures = try ScenarioFixtures.all()
        #expect(fixtures.count >= 154)
        let suite = Suite(files: fixtures.map(\.path))
        #expect(suite.mistakes.map(\.description) == [])
        #expect(suite.troubles.isEmpty)
        #expect(suite.scenarios.count >= 305)
        let names = Dictionary(grouping: suite.scenarios) { "\($0.position.file) \($0.name)" }
        #expect(names.filter { $0.value.count > 1 }.keys.sorted() == [])
        var played = 0
        suite.run { result in
            played += 1
            #expect(result.complaints == "", "\(result.scenario.position): \(result.scenario.name)")
            return true
        }
        #expect(played == suite.scenarios.count)
    }

    @Test func togetherTheyExerciseEveryRuleAndEveryFlag() throws {
        var coverage = Coverage()
        Suite(files: try ScenarioFixtures.all().map(\.path)).run { result in
            coverage.add(result.coverage)
            return true
        }
        #expect(coverage.countsSyncing)
        #expect(coverage.rules.filter { !coverage.hasFired($0) }.map(\.identifier) == [])
        #expect(coverage.flagCells.filter { !$0.isCovered }.map { "\($0.cell)" } == [])
        #expect(coverage.percent == 100)
    }

    /// Rules that are listed as out of reach never fire.
    @Test func whatIsOutOfReachNeverFires() throws {
        var coverage = Coverage()
        Suite(files: try ScenarioFixtures.all().map(\.path)).run { result in
            coverage.add(result.coverage)
            return true
        }
        #expect(Coverage.outOfReach.keys.filter { coverage.hasFired($0) }.map(\.identifier) == [])
    }

    @Test func everyFileIsCalledByTheSentenceThatItProves() throws {
        for fixture in try ScenarioFixtures.all() {
            if try ScenarioFile(fixture.path).scenarios.isEmpty { continue }
            let line = try #require(fixture.text.split(separator: "\n").first { $0.hasPrefix("name: ") })
            let words = line.dropFirst("name: ".count).lowercased().split { !$0.isLetter && !$0.isNumber }
            let called = try #require(fixture.name.split(separator: "/").last).replacing(/^\d\d-/, with: "")
            #expect(called == words.joined(separator: "-") + ".yaml", "\(fixture.name)")
        }
    }

    @Test func everyFileNamesTheSectionThatItStandsFor() throws {
        let page = try ScenarioFixtures.semantics()
        let sections = Set(page.matches(of: #/(?m)^##+ ([\d.]+?)\.? /#).map { String($0.1) })
        #expect(sections.isSuperset(of: ["4.4", "9", "7.3"]))
        for fixture in try ScenarioFixtures.all() {
            let comment = fixture.comment
            #expect(comment.hasPrefix("Semantics "), "\(fixture.name) begins with the section that it stands for")
            let named = comment.matches(of: #/\b\d{1,2}\.\d\b/#).map { String($0.0) }
            let first = try #require(comment.firstMatch(of: /Semantics ([\d.]*\d)/), "\(fixture.name)")
            for section in named + [String(first.1)] {
                #expect(sections.contains(section), "\(fixture.name) names section \(section), which there is not")
            }
        }
    }

    /// Files for readers who learn the format.
    @Test func everyFileIsShort() throws {
        for fixture in try ScenarioFixtures.all() {
            let lines = fixture.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 50, "\(fixture.name)")
            #expect(lines.allSatisfy { $0.count <= 132 }, "\(fixture.name) has a line that is too long to read")
        }
    }
}

extension ScenarioResult {
    /// Returns the unmet expectations, one a line.
    var complaints: String {
        let findings = failure?.findings ?? trouble.map { [$0] } ?? []
        return findings.map { "\($0.position): expected \($0.expected), and it was \($0.actual)" }
            .joined(separator: "; ")
    }
}
