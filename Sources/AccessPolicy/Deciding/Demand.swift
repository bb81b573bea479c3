/// The authentication that one request needs: the constraint of its operation, bound to an enrolled set.
struct Demand {
    let constraint: Constraint
    let needsApplicationPassword: Bool
    let binding: Binding
    let item: ItemID
    /// True if any application password from the caller is accepted, because the item that it will protect is new.
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

    /// Creates the demand of an action on an item; nil if its access control has no entry for the action.
    init?(of item: Item, for action: Action, _ fidelity: Fidelity) {
        let control = item.control
        if item.isKey ? action == .readData : action.usesKey { return nil }
        let operation: Operation?  // nil if the action needs no authentication
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
            // The constraint of a key does not cover its attributes. That of data does, unless `fidelity` says
            // otherwise.
            operation = control.guardsKeyUse || fidelity.attributes == .open ? nil : .readData
        case .checkDuplicate:
            operation = control.guardsKeyUse || fidelity.duplicate == .answersAtOnce ? nil : .readData
        case .probe: operation = control.guardsKeyUse ? nil : .readData
        // A caller that changes the access policy of an item gains full control of it, so it must satisfy the old one.
        case .update: operation = control.guardsKeyUse ? .sign : .readData
        }
        guard let binding = item.binding else { return nil }
        guard let operation else {
            self.init(.always, binding: binding, item: item.id)
            return
        }
        self.init(control, operation, binding, item.id)
    }

    /// Creates the demand of `control` for `operation`, bound to the present enrolled set; without one, the demand of
    /// storing.
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

    /// Returns the ways that still exist: an enrollment change closes those with biometry for good.
    func liveWays<R: Recorder>(_ conditions: Conditions, _ recorder: inout R) -> Ways {
        let closed = staleness(of: constraint, bound: binding, conditions)
        if let closed { recorder.record(closed) }
        var live = Ways()
        let ways = constraint.ways(conditions.fidelity, withApplicationPassword: needsApplicationPassword)
        for way in ways where closed == nil || !way.contains(.biometry) { live.append(way) }
        return live
    }

    /// Returns those of `factors` that are already authenticated, and whether the last device unlock is reused for
    /// biometry.
    func held<R: Recorder>(
        of factors: FactorSet, in context: Context, _ conditions: Conditions, _ recorder: inout R
    ) -> (factors: FactorSet, reusesUnlock: Bool) {
        var held = FactorSet()
        var reusesUnlock = false
        for factor in factors {
            if factor == .applicationPassword, choosesPassword {
                // Evidence that the password opened another item does not choose one for a new item.
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

    /// Returns the rule by which `evidence` does not count for this demand; nil if it counts.
    private func voidness(of evidence: Evidence, _ conditions: Conditions) -> Rule? {
        if let rule = evidence.voidness(under: conditions) { return rule }
        switch evidence.factor {
        case .biometry: return matches(evidence.domainState, conditions) ? nil : .evidenceOfOtherSet
        case .applicationPassword: return evidence.item == item ? nil : .evidenceOfOtherItem
        case .companion, .passcode: return nil
        }
    }

    /// Returns true if a match against `state` satisfies the constraint. A match on a replaced sensor never does.
    private func matches(_ state: DomainState, _ conditions: Conditions) -> Bool {
        switch constraint.biometry {
        case .currentSet: state == binding.domainState
        case .anyOfSensor: state.sensor == binding.domainState.sensor
        case .unbound: state.sensor == conditions.domainState.sensor
        }
    }

    /// Returns true if the match that unlocked the device counts as a match now. That takes an unlock recent enough,
    /// the same enrollments, and biometry that this app could use at this moment.
    private func isReusable(_ unlock: BiometricUnlock, within wanted: TimeSpan, _ conditions: Conditions) -> Bool {
        let age = conditions.now - unlock.at
        return age >= .zero && age <= min(wanted, Context.longestReuse) && !conditions.isLocked
            && unlock.domainState == conditions.domainState && conditions.biometry == .ready
            && firstObstacle(to: [.biometry], conditions) == nil
    }
}

extension Binding {
    /// A binding to nothing that exists, for an item that is about to be stored.
    fileprivate static let unbound = Binding(domainState: DomainState(sensor: 0, epoch: 0), passcodeClassKey: 0)
}
