import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The catalog of rules, and the numbers that apps get for a denial.
@Suite struct CatalogTests {
    @Test func identifiersAreStableNames() {
        let identifiers = Rule.allCases.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
        for rule in Rule.allCases {
            #expect(
                rule.identifier.wholeMatch(of: /[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+/) != nil, "\(rule.identifier)")
            #expect(Rule(identifier: rule.identifier) == rule)
        }
        #expect(Rule(identifier: "no.such-rule") == nil)
    }

    @Test func everySourceIsASectionOfTheFactSheet() throws {
        let sheet = try String(contentsOf: Repository.root.appending(path: "docs/apple-semantics.md"), encoding: .utf8)
        for facts in Rule.allCases.map(\.facts) {
            #expect((facts.section == nil) == (facts.grounds == .model), "\(facts.identifier)")
            #expect(!facts.summary.isEmpty && facts.summary.count < 120, "\(facts.identifier)")
            if let section = facts.section {
                let heading = section.contains(".") ? "### \(section) " : "## \(section). "
                #expect(sheet.contains(heading), "\(facts.identifier) names section \(section)")
            }
        }
    }

    @Test func everyDenialHasANumberAndARemedy() {
        for rule in Rule.allCases {
            let denies = rule.facts.effect == .denies || rule.facts.effect == .refuses
            #expect((AppleStatus(rule, Fidelity()) != nil) == denies, "\(rule.identifier)")
            #expect(!denies || rule.remedy != .nothing, "\(rule.identifier)")
        }
    }

    @Test func numbersAreThoseOfTheTable() throws {
        let rows = try FixtureTable("errors").rows
        #expect(rows.count == Rule.allCases.count { AppleStatus($0, Fidelity()) != nil })
        for row in rows {
            let status = Rule(identifier: row[0]).flatMap { AppleStatus($0, Fidelity()) }
            #expect(status?.laError.map { String($0.rawValue) } ?? "-" == row[1], "\(row[0])")
            #expect(status.map { String($0.status.rawValue) } == row[2], "\(row[0])")
        }
    }

    @Test func statusesHaveApplesNamesAndTexts() throws {
        let rows = try FixtureTable("statuses").byFirst
        #expect(rows.count == OSStatusCode.allCases.count)
        for code in OSStatusCode.allCases {
            #expect(rows[code.name] == [String(code.rawValue), code.text()])
        }
    }

    @Test func theChoiceOfFidelityChangesTheNumberItSpeaksOf() {
        func status(_ rule: Rule, _ choose: (inout Fidelity) -> Void) -> AppleStatus? {
            var fidelity = Fidelity()
            choose(&fidelity)
            return AppleStatus(rule, fidelity)
        }
        #expect(status(.classPasscodeNotSet) { $0.addWithoutPasscode = .authFailed }?.status == .authFailed)
        #expect(status(.classPasscodeNotSet) { $0.addWithoutPasscode = .decode }?.status == .decode)
        #expect(status(.biometrySetChanged) { $0.changedSet = .authFailed }?.status == .authFailed)
        #expect(status(.biometrySetChanged) { $0.changedSet = .notFound }?.status == .itemNotFound)
        #expect(status(.sheetHitLockout) { $0.lockoutHit = .biometryLockout }?.laError == .biometryLockout)
        var numbered = Fidelity()
        numbered.successText = .number
        #expect(OSStatusCode.success.text(numbered) == "OSStatus 0")
    }
}
