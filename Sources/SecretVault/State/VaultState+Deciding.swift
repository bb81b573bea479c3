internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Returns the conditions of a decision now, for this caller.
    mutating func conditions(for caller: Caller) -> Conditions {
        decider.conditions(for: caller, of: device, store.fixed.index)
    }

    /// Throws if `control` mentions biometry and the sensor's enrolled set has not been read yet.
    func requireSensorAsked(_ control: AccessControl, for caller: Caller) throws {
        if caller.sensor == .unasked, device.settings.sensor != .none, control.speaksOfBiometry {
            throw SensorUnaskedError()
        }
    }

    /// Decides about a stored item. If the decision treats an invalidated item as absent, the next write deletes it.
    ///
    /// A caller that decides about many items passes the `conditions` of all.
    mutating func authorize(
        _ action: Action, _ record: RecordView, for caller: Caller, in state: ContextState,
        under conditions: Conditions? = nil
    ) throws -> Authorization {
        try requireRoomForRecord()
        if record.isApart && !action.usesKey { return .denied(Denial(.operationWithoutEntry)) }
        if action != .delete && action != .inventory {
            try requireSensorAsked(record.header.control, for: caller)
        }
        let conditions = conditions ?? self.conditions(for: caller)
        // In the operation that reads the item, because its policy may have changed since the caller looked at it.
        let isReuseRefused = caller.isReusing && !(record.header.allowsReuse && record.header.control.canReuse)
        let state = isReuseRefused ? contexts.empty : state
        let item = decider.item(of: record)
        let subject = Request.Subject.item(item, action, namesGroup: caller.namesGroup)
        let tag = Tag(record.identity.bytes.extracting(first: Tag.count))
        let authorization = try authorize(subject, on: tag, action, for: caller, in: state, under: conditions) {
            try $0.tryOwnPassword(on: record, keepingWrong: action == .checkDuplicate, in: state, under: conditions)
        }
        state.context.passwordRefusedBy = nil  // a password that was wrong in this call may be right in the next
        if case .denied(let denial) = authorization, caller.interaction != .preflight,
            isClearedAway(item, deniedBy: denial.rule, under: conditions)
        {
            cleared.insert(record.header)
        }
        return authorization
    }

    /// Runs a negotiation as far as it gets without a prompt: decides, and tries the application's own password if
    /// nothing else is missing. The keychain shows the prompts. Evidence that no longer counts is wiped first.
    ///
    /// `ownPassword` returns true if the application's own password is right, and nil if there is none.
    mutating func authorize(
        _ subject: Request.Subject, on tag: Tag, _ action: Action?, for caller: Caller, in state: ContextState,
        under conditions: Conditions, ownPassword: (borrowing VaultState) throws -> Bool? = { _ in nil }
    ) throws -> Authorization {
        var negotiation: Negotiation?
        while true {
            state.discardVoid(under: conditions)
            let request = Request(subject, in: state.context, interaction: caller.interaction)
            let decision = decider.decide(
                request, on: tag, action, for: caller, under: conditions, recordingIn: &audit)
            // Most reads end here, without a negotiation.
            if case .granted(let grant) = decision { return .granted(grant) }
            var next = negotiation ?? caller.turn.negotiation(on: device.settings.sensor)
            next.record(decision, on: request, under: conditions)
            if next.step == .tryOwnPassword {
                next.record(ownPassword: Negotiation.OwnPassword(isRight: try ownPassword(self)))
            }
            if next.step != .decide { return Authorization(decision, next) }
            negotiation = next
        }
    }

    /// Decides about an item that does not exist.
    mutating func authorizeMissing(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Authorization {
        try requireRoomForRecord()
        let conditions = conditions(for: caller)
        let tag =
            switch reference {
            case .key(let key): key.tag(store.fixed.index)
            case .id(let id): Tag(of: id.bytes.span.bytes, under: store.fixed.index)
            case .sealed: Tag.none
            }
        let subject = subjectMissing(action, reference, for: caller)
        return try authorize(subject, on: tag, action, for: caller, in: state, under: conditions)
    }

    /// Returns true if only the absence of the item keeps `action` from being granted. The decision is not recorded.
    mutating func isOpen(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) -> Bool {
        let conditions = conditions(for: caller)
        let request = Request(
            subjectMissing(action, reference, for: caller), in: state.context, interaction: caller.interaction)
        return decide(request, under: conditions).denial?.rule == .itemNotFound
    }

    private func subjectMissing(
        _ action: Action, _ reference: ItemReference, for caller: Caller
    ) -> Request.Subject {
        let group: AccessGroup =
            switch reference {
            case .key(let key): decider.number(of: groupTag(key.group, store.fixed.index))
            case .id, .sealed: .first
            }
        return .missing(action, group, namesGroup: caller.namesGroup)
    }

    /// Tries the application's own password on an item. Returns nil if the context has none.
    ///
    /// If `keepingWrong`, a wrong password stays in the context: it was set for the item about to be stored, and need
    /// not open an existing item with the same key.
    func tryOwnPassword(
        on record: RecordView, keepingWrong: Bool, in state: ContextState, under conditions: Conditions
    ) throws -> Bool? {
        let id = record.header.id.evidenceID
        let password = try state.copyPassword()
        let isRight = try Gates.lend(password) { password in
            guard try opens(record, by: password, in: state, under: conditions) else { return false }
            try state.record(password, Evidence(.applicationPassword, under: conditions, item: id))
            return true
        }
        if isRight == false {
            try ring.requireNotLockedSince()  // after a lock nothing opens, so the password may still be right
            if !keepingWrong { state.refusePassword() }
            state.context.passwordRefusedBy = id
        }
        return isRight
    }

    /// Returns true if `password` opens an item, together with the evidence that the context already has.
    func opens(
        _ record: RecordView, by password: borrowing Key, in state: ContextState, under conditions: Conditions
    ) throws -> Bool {
        let evidence = Evidence(.applicationPassword, under: conditions, item: record.header.id.evidenceID)
        let grant = decider.grant(expecting: evidence, for: record, in: state.context, under: conditions)
        return try seals.opens(record, by: password, counting: grant, in: state, bag)
    }
}

extension Negotiation.OwnPassword {
    /// Creates the result of trying a password; nil stands for no password.
    package init(isRight: Bool?) { self = isRight.map { $0 ? .authenticated : .wrong } ?? .none }
}

extension Authorization {
    /// Creates the result of a negotiation from its last decision.
    fileprivate init(_ decision: Decision, _ negotiation: Negotiation) {
        switch decision {
        case .granted(let grant): self = .granted(grant)
        case .challenge(let ways): self = .challenge(ways, negotiation)
        case .denied(let denial): self = .denied(denial)
        }
    }
}
