import AccessPolicy

/// Creates the engine's types from the words of the tables.
struct Bridge {
    static let now = Instant(milliseconds: 100_000_000)
    static let session: UInt64 = 7
    static let item = ItemID(rawValue: 42)
    static let bound = DomainState(sensor: 1, epoch: 5)

    /// True if the class key is available, by class and by state of the device.
    let open: [[Bool]]
    let classes: [Accessibility]

    init(_ naive: NaiveEvaluator) throws {
        classes = try naive.classes.map { entry in
            guard let accessibility = Accessibility(rawValue: entry.name) else {
                throw NaiveEvaluator.TableError(cell: entry.name)
            }
            return accessibility
        }
        open = naive.classes.map { $0.states.map { $0 == "open" } }
    }

    func present(_ facts: Facts) -> DomainState {
        switch facts.set {
        case .same: Self.bound
        case .changed: DomainState(sensor: 1, epoch: 6)
        case .reset: DomainState(sensor: 2, epoch: 7)
        }
    }

    func conditions(_ facts: Facts) -> Conditions {
        var conditions = Conditions(session: Self.session, now: Self.now)
        conditions.openClasses = []
        for (index, accessibility) in classes.enumerated() where open[index][facts.lock.rawValue] {
            conditions.openClasses.insert(accessibility.keyClass)
        }
        conditions.isLocked = [.grace, .locked, .beforeFirstUnlock].contains(facts.lock)
        conditions.hasFirstUnlock = facts.lock != .beforeFirstUnlock
        switch facts.passcode {
        case .ready: conditions.passcode = .ready
        case .delayed: conditions.passcode = .delayed
        case .disabled: conditions.passcode = .disabled
        }
        conditions.passcodeDelayedUntil = Self.now + .seconds(30)
        conditions.passcodeClassKey = facts.passcodeWasRemoved ? 2 : 1
        if facts.lock == .noPasscode {
            conditions.passcode = .notSet
            conditions.passcodeClassKey = 0
        }
        conditions.isPasscodeRequired = facts.passcodeRequired
        conditions.biometry =
            switch facts.biometry {
            case .noHardware: .noHardware
            case .noUsageText: .noUsageText
            case .notPermitted: .notPermitted
            case .notEnrolled: .notEnrolled
            case .lockedOut: .lockedOut
            case .notYetPermitted: .notYetPermitted
            case .ready: .ready
            }
        conditions.companion =
            switch facts.companion {
            case .notPaired: .notPaired
            case .away: .away
            case .locked: .locked
            case .ready: .ready
            }
        conditions.domainState = present(facts)
        conditions.groups =
            switch facts.groups {
            case .own: [.first]
            case .other: AccessGroups(bits: 2)
            case .none: []
            }
        conditions.biometricUnlock = unlock(facts)
        conditions.fidelity.presence = facts.isMac ? .biometryCompanionOrPasscode : .biometryOrPasscode
        conditions.fidelity.addDuringLockout = facts.lockoutKeepsFromStoring ? .refused : .allowed
        conditions.fidelity.attributes = facts.attributesOpen ? .open : .authenticated
        conditions.fidelity.duplicate = facts.duplicatesAtOnce ? .answersAtOnce : .authenticates
        conditions.fidelity.changedSet = facts.changedSetIsTold ? .notFoundWhileBiometryExists : .notFound
        return conditions
    }

    private func unlock(_ facts: Facts) -> BiometricUnlock? {
        switch facts.unlock {
        case .none: nil
        case .fresh, .notWanted: BiometricUnlock(at: Self.now + .seconds(-60), domainState: present(facts))
        case .old: BiometricUnlock(at: Self.now + .seconds(-61), domainState: present(facts))
        case .otherSet: BiometricUnlock(at: Self.now, domainState: otherSet(facts))
        case .otherSensor: BiometricUnlock(at: Self.now, domainState: DomainState(sensor: 9, epoch: 3))
        }
    }

    /// Returns another enrolled set of the same sensor: the one that the item was bound to, if it has changed.
    private func otherSet(_ facts: Facts) -> DomainState {
        facts.set == .same ? DomainState(sensor: 1, epoch: 3) : Self.bound
    }

    func context(_ facts: Facts, _ conditions: Conditions) -> Context {
        var context = Context()
        context.isInvalidated = facts.invalidated
        context.offersApplicationPassword = facts.passwordAtHand
        context.reuse = facts.unlock == .notWanted ? .zero : .seconds(60)
        add(facts.fingerProof, .biometry, to: &context, facts, conditions)
        add(facts.companionProof, .companion, to: &context, facts, conditions)
        add(facts.passcodeProof, .passcode, to: &context, facts, conditions)
        add(facts.passwordProof, .applicationPassword, to: &context, facts, conditions)
        return context
    }

    private func add(
        _ proof: Facts.Proof, _ factor: Factor, to context: inout Context, _ facts: Facts, _ conditions: Conditions
    ) {
        var evidence = Evidence(factor, under: conditions, item: Self.item)
        switch proof {
        case .none: return
        case .refused:
            context.passwordRefusedBy = Self.item
            return
        case .refusedByOther:
            context.passwordRefusedBy = ItemID(rawValue: 43)
            return
        case .counts: break
        case .otherSession: evidence.session = Self.session - 1
        case .otherSet: evidence.domainState = otherSet(facts)
        case .otherSensor: evidence.domainState = DomainState(sensor: 9, epoch: 3)
        case .otherItem: evidence.item = ItemID(rawValue: 43)
        }
        context.add(evidence)
    }

    func request(_ control: AccessControl, _ action: Action, _ facts: Facts, _ conditions: Conditions) -> Request {
        let item = Item(
            control, binding: action == .add ? nil : Binding(domainState: Self.bound, passcodeClassKey: 1),
            id: Self.item, isKey: facts.isKey, isSynchronizable: facts.synchronizable)
        let interaction: Interaction =
            switch facts.interaction {
            case .allowed: .allowed
            case .fail: .fail
            case .skip: .skip
            case .preflight: .preflight
            }
        return Request(
            action, item, namesGroup: facts.namesGroup, in: context(facts, conditions), interaction: interaction)
    }

    func answer(_ decision: Decision) -> NaiveEvaluator.Answer {
        switch decision {
        case .granted(let grant): .init(verdict: "granted", ways: [Int(grant.way.bits)])
        case .challenge(let ways): .init(verdict: "challenge", ways: ways.map { Int($0.bits) })
        case .denied(let denial): .init(verdict: denial.rule.identifier, ways: denial.ways.map { Int($0.bits) })
        }
    }
}
