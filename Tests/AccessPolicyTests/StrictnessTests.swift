import AccessPolicy
import Testing

/// A policy that counts as at least as strict as another grants no read that the other would deny.
@Suite struct StrictnessTests {
    private static let bound = Binding(domainState: DomainState(sensor: 1, epoch: 1), passcodeClassKey: 1)
    private static let bindings = [
        bound, Binding(domainState: DomainState(sensor: 1, epoch: 2), passcodeClassKey: 1),
        Binding(domainState: DomainState(sensor: 2, epoch: 1), passcodeClassKey: 1),
    ]

    /// Every set of factors, given under every enrolled set, with every set of class keys that a device can have open.
    private static func situations(_ fidelity: Fidelity) -> [(conditions: Conditions, context: Context)] {
        let open: [KeyClasses] = [
            [.always], [.always, .afterFirstUnlock], [.always, .afterFirstUnlock, .whenUnlocked],
            [.always, .afterFirstUnlock, .whenUnlocked, .whenPasscodeSet],
        ]
        return bindings.flatMap { binding in
            open.flatMap { classes in
                (0..<16).map { bits in
                    var conditions = Conditions(
                        openClasses: classes, domainState: binding.domainState, companion: .ready, fidelity: fidelity)
                    conditions.isLocked = !classes.contains(.whenUnlocked)
                    conditions.hasFirstUnlock = classes.contains(.afterFirstUnlock)
                    var context = Context()
                    for (place, factor) in Factor.allCases.enumerated() where bits >> place & 1 == 1 {
                        context.add(Evidence(factor, under: conditions))
                        if factor == .applicationPassword { context.offersApplicationPassword = true }
                    }
                    return (conditions, context)
                }
            }
        }
    }

    /// The situations in which a policy grants a read, as bits.
    private static func grants(
        _ control: AccessControl, _ binding: Binding, _ situations: [(conditions: Conditions, context: Context)]
    ) -> [Bool] {
        situations.map { situation in
            let item = Item(control, binding: binding)
            let request = Request(.item(item, .readData, namesGroup: false), in: situation.context, interaction: .fail)
            return decide(request, under: situation.conditions).isGranted
        }
    }

    @Test func aStricterPolicyGrantsNothingThatTheOtherDenies() throws {
        let entries = try FlagCombinations().creatable.filter { !$0.has("privateKeyUsage") }
        var (strict, loose, strictThough) = (0, 0, 0)
        for fidelity in [Fidelity()] {
            let situations = Self.situations(fidelity)
            let policies =
                try entries.flatMap { entry in
                    try [Accessibility.whenUnlocked, .afterFirstUnlock].map { try entry.control($0) }
                } + Accessibility.allCases.map { AccessControl($0) }
            let others = policies.map { Self.grants($0, Self.bound, situations) }
            for binding in Self.bindings {
                let mine = policies.map { Self.grants($0, binding, situations) }
                for (place, policy) in policies.enumerated() {
                    for (otherPlace, other) in policies.enumerated() {
                        let isStrict = policy.isAtLeastAsStrict(as: other, binding, Self.bound, fidelity)
                        let grantsMore = zip(mine[place], others[otherPlace]).contains { $0 && !$1 }
                        if isStrict {
                            strict += 1
                            #expect(!grantsMore, "\(policy) bound to \(binding) is no stricter than \(other)")
                        } else if grantsMore {
                            loose += 1
                        } else {
                            strictThough += 1
                        }
                    }
                }
            }
        }
        // A denial without need only forgets a former value. It must not be the rule.
        #expect(strict > 1000 && loose > 1000)
        print("strictness: \(strict) pairs are stricter, \(loose) are not, \(strictThough) are not certain")
    }

    @Test func everyPolicyIsAsStrictAsItselfWhileItsBindingStays() throws {
        for entry in try FlagCombinations().creatable where !entry.has("privateKeyUsage") {
            for accessibility in Accessibility.allCases {
                let control = try entry.control(accessibility)
                #expect(control.isAtLeastAsStrict(as: control, Self.bound, Self.bound, Fidelity()), "\(control)")
                let other = AccessControl(accessibility.onThisDeviceOnly)
                #expect(
                    other.isAtLeastAsStrict(as: AccessControl(accessibility), Self.bound, Self.bound, Fidelity()))
                #expect(
                    AccessControl(accessibility).isAtLeastAsStrict(as: other, Self.bound, Self.bound, Fidelity())
                        == accessibility.isThisDeviceOnly)
            }
        }
    }
}
