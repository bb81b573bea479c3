import AccessPolicy
import ApplePlatform
import TestSupport
import Testing

/// The numbers that apps get for a denial.
@Suite struct AppleStatusTests {
    @Test func everyDenialHasANumber() {
        for rule in Rule.allCases {
            let denies = rule.facts.effect == .denies || rule.facts.effect == .refuses
            #expect((AppleStatus(rule, Fidelity()) != nil) == denies, "\(rule.identifier)")
        }
    }

    /// Decisions know the denials that look like a missing item without these numbers.
    @Test(arguments: Fidelity.ChangedSet.allCases, Fidelity.AddWithoutPasscode.allCases)
    func absenceIsTheStatusOfAMissingItem(_ changedSet: Fidelity.ChangedSet, _ adding: Fidelity.AddWithoutPasscode) {
        var fidelity = Fidelity()
        (fidelity.changedSet, fidelity.addWithoutPasscode) = (changedSet, adding)
        for rule in Rule.allCases {
            let isNotFound = AppleStatus(rule, fidelity)?.status == .itemNotFound
            #expect(isAbsence(rule, fidelity) == isNotFound, "\(rule.identifier)")
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

    @Test func aStatusPrintsItsNamesAndNumbers() {
        let status = AppleStatus(.biometryLockedOut, Fidelity())
        #expect(status?.description == "errSecAuthFailed (-25293), LAError.biometryLockout (-8)")
    }
}
