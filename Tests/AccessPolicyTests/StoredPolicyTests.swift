import AccessPolicy
import TestSupport
import Testing

/// Words and numbers of the policy that are stored or sent keep their spelling.
@Suite struct StoredPolicyTests {
    @Test func thePolicyKeepsItsWordsAndNumbers() throws {
        let lines =
            Accessibility.allCases.map { "accessibility \($0.rawValue) \($0.name)" }
            + AccessControlFlags.named.map { "flag \($0.flag.rawValue) \($0.name)" }
            + Golden.lines("factor", of: Factor.self) { "\($0)" }
            + Golden.lines("class key", of: KeyClass.self) { "\($0)" }
            + Golden.lines("requirement", of: Requirement.self) { "\($0)" }
            + Operation.allCases.map { "operation \($0.rawValue) \($0)" }
            + Remedy.allCases.map { "remedy \($0.rawValue) \($0)" }
            + Rule.allCases.map { "rule \($0.identifier)" }
        #expect(try Golden.differences("policy", lines) == [])
    }

    @Test func everyChoiceOfFidelityKeepsItsWordAndNumber() throws {
        let lines =
            Golden.lines("addWithoutPasscode", of: Fidelity.AddWithoutPasscode.self) { "\($0)" }
            + Golden.lines("changedSet", of: Fidelity.ChangedSet.self) { "\($0)" }
            + Golden.lines("duplicate", of: Fidelity.Duplicate.self) { "\($0)" }
            + Golden.lines("attributes", of: Fidelity.Attributes.self) { "\($0)" }
            + Golden.lines("contextLifetime", of: Fidelity.ContextLifetime.self) { "\($0)" }
            + Golden.lines("lockoutHit", of: Fidelity.LockoutHit.self) { "\($0)" }
            + Golden.lines("sensorReset", of: Fidelity.SensorReset.self) { "\($0)" }
            + Golden.lines("presence", of: Fidelity.Presence.self) { "\($0)" }
            + Golden.lines("addDuringLockout", of: Fidelity.AddDuringLockout.self) { "\($0)" }
            + Golden.lines("passcodeTimeout", of: Fidelity.PasscodeTimeout.self) { "\($0)" }
            + Golden.lines("passcodeDelays", of: Fidelity.PasscodeDelays.self) { "\($0)" }
            + Golden.lines("boundSynchronizable", of: Fidelity.BoundSynchronizable.self) { "\($0)" }
            + Golden.lines("dataOfSeveral", of: Fidelity.DataOfSeveral.self) { "\($0)" }
            + Golden.lines("resultOfUpdate", of: Fidelity.ResultOfUpdate.self) { "\($0)" }
            + Golden.lines("demandByUpdate", of: Fidelity.DemandByUpdate.self) { "\($0)" }
            + Golden.lines("limitOfDelete", of: Fidelity.LimitOfDelete.self) { "\($0)" }
            + Golden.lines("matchOnAdd", of: Fidelity.MatchOnAdd.self) { "\($0)" }
            + Golden.lines("emptyPort", of: Fidelity.EmptyPort.self) { "\($0)" }
            + Golden.lines("successText", of: Fidelity.SuccessText.self) { "\($0)" }
        #expect(try Golden.differences("fidelity", lines.sorted()) == [])
    }
}
