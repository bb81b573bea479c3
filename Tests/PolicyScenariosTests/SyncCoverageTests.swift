import AccessPolicy
import PolicyScenarios
import ScenarioFormat
import Testing

/// The rules of syncing count if a scenario has several devices, and only then.
@Suite struct SyncCoverageTests {
    private func coverage(_ text: String) throws -> Coverage {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run().coverage
    }

    private static let one = "name: one\nitems: { seed: { synchronizable: true } }\nsteps: [{ read: seed }]"
    private static let several = """
        name: several
        devices: { phone: iPhoneWithFaceID, pad: { passcode: "9999" } }
        items: { seed: { synchronizable: true } }
        steps: [settle]
        """

    @Test func aSuiteWithOneDeviceHasNoRuleOfSyncing() throws {
        let coverage = try coverage(Self.one)
        #expect(!coverage.countsSyncing)
        #expect(SyncRule.allCases.allSatisfy { !coverage.rules.contains(.sync($0)) })
        #expect(coverage.leftOut.map(\.rule).allSatisfy { if case .sync = $0 { false } else { true } })
    }

    @Test func oneFileWithSeveralDevicesMakesThemCount() throws {
        let (one, several) = (try coverage(Self.one), try coverage(Self.several))
        let reachable = SyncRule.allCases.filter { Coverage.outOfReach[.sync($0)] == nil }
        #expect(several.rules == one.rules + reachable.map { .sync($0) })
        #expect(SyncRule.allCases.filter { several.hasFired(.sync($0)) } == [.sent, .arrived])
        #expect(several.count.covered == 2)
        var both = one
        both.add(several)
        #expect(both.countsSyncing && both.rules == several.rules)
        #expect(both.count.covered == one.count.covered + 2)
        #expect(both.leftOut.map(\.rule) == AnyRule.all.filter { Coverage.outOfReach[$0] != nil })
    }

    /// A movement counts although its scenario fails.
    @Test func aFailedScenarioCountsToo() throws {
        let coverage = try coverage(Self.several.replacing("[settle]", with: "[{ settle: , expect: { moved: [] } }]"))
        #expect(coverage.hasFired(.sync(.arrived)))
    }
}
