import AccessPolicy
import TestSupport
import Testing

/// Checks that the words and numbers of the policy that are stored or sent never change.
@Suite struct StoredPolicyTests {
    @Test func thePolicyKeepsItsWordsAndNumbers() throws {
        let lines =
            Accessibility.allCases.map { "accessibility \($0.rawValue) \($0.name)" }
            + AccessControlFlags.named.map { "flag \($0.flag.rawValue) \($0.name)" }
            + Golden.lines("factor", of: Factor.self) { $0.name }
            + Golden.lines("class key", of: KeyClass.self) { $0.name }
            + Golden.lines("requirement", of: Requirement.self) { $0.name }
            + Operation.allCases.map { "operation \($0.rawValue) \($0.name)" }
            + Remedy.allCases.map { "remedy \($0.rawValue) \($0.name)" }
            + AnyRule.all.map { "rule \($0.identifier)" }
        try Golden.expect("policy", lines)
    }

    @Test func everyChoiceOfFidelityKeepsItsWordAndNumber() throws {
        let lines = FieldNames(of: Fidelity()).all.flatMap { field in
            field.choices.map { "\(field.name) \($0.number) \($0.name)" }
        }
        try Golden.expect("fidelity", lines.sorted())
    }
}
