/// What one request has to prove: the constraint of its operation, tied to an enrolment set.
struct Demand {
    let constraint: Constraint
    let needsApplicationPassword: Bool
    let binding: Binding
    let item: ItemID
    /// Whether an application password that the caller brings is good unseen: there is nothing yet that it must open.
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
        let operation: Operation
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
        case .delete, .inventory: operation = .delete
        case .readAttributes, .readReference:
            // The attributes of a key are not under its constraint; those of data are, unless a library is believed.
            operation = control.guardsKeyUse || fidelity.attributes == .open ? .delete : .readData
        case .judgeDuplicate:
            operation = control.guardsKeyUse || fidelity.duplicate == .answersAtOnce ? .delete : .readData
        case .probe, .update: operation = control.guardsKeyUse ? .delete : .readData
        }
        guard let binding = item.binding else { return nil }
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

    /// The ways that an enrolment change has not closed for good.
    func liveWays<R: Recorder>(_ conditions: Conditions, _ recorder: inout R) -> Ways {
        let closed = staleness(of: constraint, bound: binding, conditions)
        if let closed { recorder.record(closed) }
        var live = Ways()
        for way in constraint.ways(conditions.fidelity) where closed == nil || !way.contains(.biometry) {
            live.append(needsApplicationPassword ? way.union([.applicationPassword]) : way)
        }
        return live
    }

    /// Which of `factors` the context holds evidence for that counts here.
    func held<R: Recorder>(
        of factors: FactorSet, in context: Context, _ conditions: Conditions, _ recorder: inout R
    ) -> (factors: FactorSet, reusesUnlock: Bool) {
        var held = FactorSet()
        var reusesUnlock = false
        for factor in factors {
            if let evidence = context[factor] {
                if let rule = voidness(of: evidence, conditions) {
                    recorder.record(rule)
                } else {
                    recorder.record(.evidenceCounts)
                    held.insert(factor)
                    continue
                }
            }
            if factor == .applicationPassword, choosesPassword, context.offersApplicationPassword {
                held.insert(factor)
            }
            if factor == .biometry, let unlock = conditions.biometricUnlock, context.reuse > .zero {
                let age = conditions.now - unlock.at
                if age > min(context.reuse, Context.longestReuse) || age < .zero
                    || !matches(unlock.domainState)
                {
                    recorder.record(.unlockNotReusable)
                } else {
                    recorder.record(.unlockReused)
                    held.insert(factor)
                    reusesUnlock = true
                }
            }
        }
        return (held, reusesUnlock)
    }

    /// Why `evidence` does not count here; nil when it does.
    private func voidness(of evidence: Evidence, _ conditions: Conditions) -> Rule? {
        if evidence.session != conditions.session { return .evidenceFromOtherSession }
        let age = conditions.now - evidence.at
        if conditions.fidelity.contextLifetime == .tenMinutes && (age > .minutes(10) || age < .zero) {
            return .evidenceExpired
        }
        switch evidence.factor {
        case .biometry: return matches(evidence.domainState) ? nil : .evidenceOfOtherSet
        case .applicationPassword: return evidence.item == item ? nil : .evidenceOfOtherItem
        case .companion, .passcode: return nil
        }
    }

    /// Whether a match against `state` is one that the constraint means.
    private func matches(_ state: DomainState) -> Bool {
        switch constraint.biometry {
        case .currentSet: state == binding.domainState
        case .anyOfSensor: state.sensor == binding.domainState.sensor
        case .unbound: true
        }
    }
}

extension Binding {
    /// What an item that is being stored is tied to before it is stored: nothing that exists.
    fileprivate static let unbound = Binding(domainState: DomainState(sensor: 0, epoch: 0), passcodeClassKey: 0)
}
