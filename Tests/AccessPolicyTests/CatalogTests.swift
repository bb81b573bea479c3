import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The catalog of rules.
@Suite struct CatalogTests {
    @Test func identifiersAreStableNames() {
        let identifiers = AnyRule.all.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
        for rule in AnyRule.all {
            #expect(
                rule.identifier.wholeMatch(of: /[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+/) != nil, "\(rule.identifier)")
            switch rule {
            case .item(let rule): #expect(Rule(identifier: rule.identifier) == rule)
            case .file(let rule): #expect(FileRule(identifier: rule.identifier) == rule)
            case .sync(let rule): #expect(SyncRule(identifier: rule.identifier) == rule)
            }
        }
        #expect(Rule(identifier: "no.such-rule") == nil && FileRule(identifier: "no.such-rule") == nil)
    }

    @Test func allCatalogsAreInOneList() {
        let rules: [[AnyRule]] = [
            Rule.allCases.map { .item($0) }, FileRule.allCases.map { .file($0) }, SyncRule.allCases.map { .sync($0) },
        ]
        #expect(AnyRule.all == rules.flatMap { $0 })
    }

    /// Another catalog needs a case of `AnyRule`, and then its name here.
    @Test func noCatalogIsForgotten() throws {
        let sources = Repository.root.appending(path: "Sources")
        var names: Set<String> = []
        for case let path as String in FileManager.default.enumerator(atPath: sources.path) ?? .init()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /(?:extension|enum) (\w+):[^{\n]*\bCatalogRule\b/) {
                names.insert(String(match.1))
            }
        }
        #expect(names == ["Rule", "FileRule", "SyncRule"])
    }

    @Test func everySourceIsASectionOfTheFactSheet() throws {
        let sheet = try String(contentsOf: Repository.root.appending(path: "docs/apple-semantics.md"), encoding: .utf8)
        for facts in AnyRule.all.map(\.facts) {
            #expect((facts.section == nil) == (facts.grounds == .model), "\(facts.identifier)")
            #expect(!facts.summary.isEmpty && facts.summary.count < 120, "\(facts.identifier)")
            if let section = facts.section {
                let heading = section.contains(".") ? "### \(section) " : "## \(section). "
                #expect(sheet.contains(heading), "\(facts.identifier) names section \(section)")
            }
        }
    }

    @Test func everyDenialHasARemedy() {
        for rule in Rule.allCases where rule.facts.effect == .denies || rule.facts.effect == .refuses {
            #expect(rule.remedy != .nothing, "\(rule.identifier)")
        }
    }
}
