import AccessPolicy
import PolicyProver
import Testing

/// Every policy that flags can express, each meaning once.
@Suite struct PolicySpaceTests {
    /// The meaning of a policy, whichever way it was written.
    private struct Demand: Hashable {
        let constraints: [Constraint?]
        let needsApplicationPassword: Bool

        init(_ control: AccessControl) {
            constraints = Operation.allCases.map { control.constraint(for: $0) }
            needsApplicationPassword = control.needsApplicationPassword
        }
    }

    @Test(arguments: Accessibility.allCases) func everyDemandIsThereOnce(_ protection: Accessibility) throws {
        let named = AccessControlFlags.named.map(\.flag)
        var known: [Bool: Set<Demand>] = [false: [], true: []]
        for bits in 0..<(1 << named.count) {
            let flags = named.enumerated().reduce(into: AccessControlFlags()) { flags, next in
                if bits >> next.offset & 1 == 1 { flags.formUnion(next.element) }
            }
            guard let control = try? AccessControl(protection: protection, flags: flags) else { continue }
            known[control.guardsKeyUse]?.insert(Demand(control))
        }
        for isKey in [false, true] {
            let policies = PolicySpace.policies(forKey: isKey, in: [protection])
            #expect(policies.count == 40)
            #expect(policies.allSatisfy { $0.guardsKeyUse == isKey && $0.protection == protection })
            #expect(Set(policies.map(Demand.init)) == known[isKey])
            #expect(Set(policies.map(Demand.init)).count == policies.count)
        }
    }

    @Test func aSurveyHoldsEveryPolicyInItsOrder() {
        let items = PolicySpace.policies(forKey: false).map { Item($0) }
        let survey = Survey(of: items)
        #expect(survey.items == items)
        #expect(survey.scenes.count == 35 && survey.scenes.allSatisfy { $0.items.count == 8 })
        // Without a passcode, the device has no class that needs one and no passcode to ask for.
        let bare = Survey(isSetUp: false, of: items)
        #expect(!bare.items.isEmpty && bare.items.count < items.count)
        #expect(bare.items.allSatisfy { $0.control.protection != .whenPasscodeSetThisDeviceOnly })
    }
}
