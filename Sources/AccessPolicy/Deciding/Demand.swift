/// The authentication that one request needs: the constraint of its operation, tied to an enrollment set.
struct Demand {
    let constraint: Constraint
    let needsApplicationPassword: Bool
    let binding: Binding
    let item: ItemID
    /// True if an application password that the caller brings is good unseen: there is nothing yet that it must open.
    let choosesPassword: Bool

    init(
        _ constraint: Constraint, needsApplicationPassword: Bool = false, binding: Binding,
        item: ItemID = ItemID(rawValue: 0), choosesPassword: Bool = false
    ) {
        self.constraint = constraint
        self.needsApplicationPassword = needsApplicationPassword
        self.binding = binding
        self.item = item
        self.choosesPassword = choosesPassword
    }

    /// What `action` on `item` demands; nil when its access control has no entry for it.
    init?(of item: Item, for action: Action, _ fidelity: Fidelity) {
        let control = item.control
        if item.isKey ? action == .readData : action.usesKey { return nil }
        let operation: Operation?  // nil where nobody is asked for anything
        switch action {
        case .add:
            self.init(
                .always, needsApplicationPassword: control.needsApplicationPassword,
                binding: item.binding ?? .unbound, item: item.id, choosesPassword: true)
            return
        case .readData: operation = .readData
        case .sign: operation = .sign
        case .agree: operation = .agree
        case .decapsulate: operation = .decapsulate
        case .attest: operation = .attest
        case .delete, .inventory: operation = nil
        case .readAttributes, .readReference:
            // The attributes of a key are not under its constraint; those of data are, unless a library is believed.
            operation = control.guardsKeyUse || fidelity.attributes == .open ? nil : .readData
        case .checkDuplicate:
            operation = control.guardsKeyUse || fidelity.duplicate == .answersAtOnce ? nil : .readData
        case .probe: operation = control.guardsKeyUse ? nil : .readData
        // Whoever may change what an item demands may do with it as they like: never without what guards its use.
        case .update: operation = control.guardsKeyUse ? .sign : .readData
        }
        guard let binding = item.binding else { return nil }
        guard let operation else {
            self.init(.always, binding: binding, item: item.id)
            return
        }
        self.init(control, operation, binding, item.id)
    }

    /// What meeting `control` for `operation` demands, bound to the present set; without an operation, what storing does.
    init?(of control: AccessControl, for operation: Operation?, _ conditions: Conditions) {
        guard let operation else {
            self.init(
                .always, needsApplicationPassword: control.needsApplicationPassword, binding: conditions.binding,
                choosesPassword: true)
            return
        }
        self.init(control, operation, conditions.binding, ItemID(rawValue: 0))
    }

    private init?(_ control: AccessControl, _ operation: Operation, _ binding: Binding, _ item: ItemID) {
        guard let constraint = control.constraint(for: operation) else { return nil }
        self.init(
            constraint, needsApplicationPassword: control.needsApplicationPassword && operation.usesSecret,
            binding: binding, item: item)
    }

    /// The ways that an enrollment change has not closed for good.
    func liveWays<R: Recorder>(_ conditions: Conditions, _ recorder: inout R) -> Ways {
        let closed = staleness(of: constraint, bound: binding, conditions)
        if let closed { recorder.record(closed) }
        var live = Ways()
        let ways = constraint.ways(conditions.fidelity, withApplicationPassword: needsApplicationPassword)
        for way in ways where closed == nil || !way.contains(.biometry) { live.append(way) }
        return live
    }

    /// Which of `factors` the context holds evidence for that counts here.
    func held<R: Recorder>(
        of factors: FactorSet, in context: Context, _ conditions: Conditions, _ recorder: inout R
    ) -> (factors: FactorSet, reusesUnlock: Bool) {
        var held = FactorSet()
        var reusesUnlock = false
        for factor in factors {
            if factor == .applicationPassword, choosesPassword {
                // A proof for some item is no choice of a password for another.
                if context.offersApplicationPassword { held.insert(factor) }
                continue
            }
            if let evidence = context[factor] {
                if let rule = voidness(of: evidence, conditions) {
                    recorder.record(rule)
                } else {
                    recorder.record(.evidenceCounts)
                    held.insert(factor)
                    continue
                }
            }
            if factor == .biometry, let unlock = conditions.biometricUnlock, context.reuse > .zero {
                if isReusable(unlock, within: context.reuse, conditions) {
                    recorder.record(.unlockReused)
                    held.insert(factor)
                    reusesUnlock = true
                } else {
                    recorder.record(.unlockNotReusable)
                }
            }
        }
        return (held, reusesUnlock)
    }

    /// Why `evidence` does not count here; nil when it does.
    private func voidness(of evidence: Evidence, _ conditions: Conditions) -> Rule? {
        if let rule = evidence.voidness(under: conditions) { return rule }
        switch evidence.factor {
        case .biometry: return matches(evidence.domainState, conditions) ? nil : .evidenceOfOtherSet
        case .applicationPassword: return evidence.item == item ? nil : .evidenceOfOtherItem
        case .companion, .passcode: return nil
        }
    }

    /// Returns true if a match against `state` is one that the constraint means. A sensor that is gone has proved nothing.
    private func matches(_ state: DomainState, _ conditions: Conditions) -> Bool {
        switch constraint.biometry {
        case .currentSet: state == binding.domainState
        case .anyOfSensor: state.sensor == binding.domainState.sensor
        case .unbound: state.sensor == conditions.domainState.sensor
        }
    }

    /// Whether the match that unlocked the device stands in for one now: it would have to be possible now, for this app,
    /// against the same enrollments.
    private func isReusable(_ unlock: BiometricUnlock, within wanted: TimeSpan, _ conditions: Conditions) -> Bool {
        let age = conditions.now - unlock.at
        return age >= .zero && age <= min(wanted, Context.longestReuse) && !conditions.isLocked
            && unlock.domainState == conditions.domainState && conditions.biometry == .ready
            && firstObstacle(to: [.biometry], conditions) == nil
    }
}

extension Binding {
    /// What an item that is being stored is tied to before it is stored: nothing that exists.
    fileprivate static let unbound = Binding(domainState: DomainState(sensor: 0, epoch: 0), passcodeClassKey: 0)
}
