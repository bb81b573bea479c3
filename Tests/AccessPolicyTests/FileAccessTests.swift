import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The rules of file protection, beside a table typed from Apple's documentation.
@Suite struct FileAccessTests {
    /// The device in the states of the table's columns.
    private static let states: [(name: String, conditions: Conditions)] = {
        var grace = Conditions()
        grace.isLocked = true
        var locked = grace
        locked.openClasses = [.always, .afterFirstUnlock]
        var restarted = locked
        restarted.openClasses = [.always]
        restarted.hasFirstUnlock = false
        var open = Conditions()
        open.passcode = .notSet
        open.passcodeClassKey = 0
        open.openClasses = [.always, .afterFirstUnlock, .whenUnlocked]
        return [
            ("unlocked", Conditions()), ("grace", grace), ("locked", locked), ("beforeFirstUnlock", restarted),
            ("noPasscode", open),
        ]
    }()

    private static func access(_ word: String, _ protection: FileProtection) -> FileAccess? {
        switch word {
        case "create": .create(protection)
        case "open": .open(protection)
        case "use": .use(protection)
        case "manage": .manage(protection)
        default: FileProtection.allCases.first { "to \($0.name)" == word }.map { .protect(protection, as: $0) }
        }
    }

    @Test func theRulesAreThoseOfTheTable() throws {
        let rows = try FixtureTable("files").rows
        // Four accesses to each class, and each class as each other one.
        #expect(rows.count == 4 * 4 + 4 * 3)
        #expect(Set(rows.map { [$0[0], $0[1]] }).count == rows.count)
        var fired: Set<FileRule> = []
        for row in rows {
            let protection = try #require(FileProtection.allCases.first { $0.name == row[1] })
            let access = try #require(Self.access(row[0], protection))
            try #require(row.count == 2 + Self.states.count)
            for (state, cell) in zip(Self.states, row.dropFirst(2)) {
                let decision = decide(access, under: state.conditions)
                fired.insert(decision.rule)
                #expect(decision.rule.identifier == cell, "\(access) \(state.name)")
                #expect(decision.isGranted == (decision.rule.facts.effect == .allows))
            }
        }
        #expect(fired == Set(FileRule.allCases))
    }

    @Test func theCatalogIsComplete() throws {
        let identifiers = FileRule.allCases.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
        let sheet = try String(contentsOf: Repository.root.appending(path: "docs/apple-semantics.md"), encoding: .utf8)
        for rule in FileRule.allCases {
            #expect(rule.identifier.wholeMatch(of: /file(\.[a-z]+(-[a-z]+)*)+/) != nil)
            #expect(FileRule(identifier: rule.identifier) == rule)
            #expect(Rule(identifier: rule.identifier) == nil)
            #expect(rule.facts.section.map { sheet.contains("### \($0) ") } == true)
            #expect(rule.facts.effect == .allows || rule.facts.effect == .denies)
            #expect((rule.facts.effect == .denies) == (rule.remedy != .nothing))
        }
        #expect(FileRule(identifier: "file.no-such-rule") == nil)
        #expect(FileProtection.allCases.map(\.letter) == ["A", "B", "C", "D"])
    }
}
