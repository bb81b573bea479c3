internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// What deciding needs to know now, for this caller.
    mutating func conditions(for caller: Caller) -> Conditions {
        var conditions = device.conditions(for: caller.app)
        groups.take(caller.groups, store.fixed.index)
        // A place without an app has no groups, whatever the caller says.
        if !conditions.groups.isEmpty { conditions.groups = groups.all }
        if caller.sensor == .away { conditions.biometry = .noHardware }
        return conditions
    }

    /// Throws where `control` speaks of biometry and nobody has asked the sensor yet whom it knows.
    func requireSensorAsked(_ control: AccessControl, for caller: Caller) throws {
        if caller.sensor == .unasked, device.settings.sensor != .none, control.speaksOfBiometry {
            throw SensorUnasked()
        }
    }

    /// Decides, and puts the decision on record.
    private mutating func decision(
        _ request: Request, on record: Tag, _ action: Action?, for caller: Caller, under conditions: Conditions
    ) -> Decision {
        let isRecorded = audit.isOn && !(caller.isListing && action == .inventory)
        guard isRecorded || watcher != nil else { return decide(request, under: conditions) }
        var trace = Trace()
        let decision = decide(request, under: conditions, into: &trace)
        if isRecorded {
            audit.add(decision, trace, action, on: record, by: caller, hour: conditions.now.milliseconds)
        }
        watcher?(
            WatchedDecision(
                request: request, caller: caller.name, decision: decision, trace: trace, at: conditions.now))
        return decision
    }

    /// Decides about a stored item. If the decision says that it was lost and is not there, the next write takes it out.
    mutating func authorize(
        _ action: Action, _ record: RecordView, for caller: Caller, in state: ContextState
    ) throws -> Authorization {
        try requireRoomForRecord()
        if action != .delete && action != .inventory {
            try requireSensorAsked(record.header.control, for: caller)
        }
        let conditions = conditions(for: caller)
        let item = record.header.item(in: groups.number(of: record.header.group))
        let subject = Request.Subject.item(item, action, namesGroup: caller.namesGroup)
        let tag = Tag(record.identity.bytes.extracting(first: Tag.count))
        let authorization = try authorize(subject, on: tag, action, for: caller, in: state, under: conditions) {
            try $0.tryOwnPassword(on: record, keepingWrong: action == .judgeDuplicate, in: state, under: conditions)
        }
        state.context.passwordRefusedBy = nil  // what was brought to this call says nothing of the next
        if case .denied(let denial) = authorization, caller.interaction != .preflight,
            isClearedAway(item, deniedBy: denial.rule, under: conditions)
        {
            cleared[record.header.id] = record.header.version
        }
        return authorization
    }

    /// Drives a negotiation as far as it gets without asking: decides, and tries the application's own password if that is all
    /// that is missing. Prompts are the keychain's. What no longer counts is wiped first.
    ///
    /// `ownPassword` returns whether the own password is right, and nil if there is none.
    mutating func authorize(
        _ subject: Request.Subject, on tag: Tag, _ action: Action?, for caller: Caller, in state: ContextState,
        under conditions: Conditions, ownPassword: (borrowing Enclave) throws -> Bool? = { _ in nil }
    ) throws -> Authorization {
        var negotiation: Negotiation?
        while true {
            state.discardVoid(under: conditions)
            let request = Request(subject, in: state.context, interaction: caller.interaction)
            let decision = decision(request, on: tag, action, for: caller, under: conditions)
            // Most reads end here. They need no negotiation.
            if case .granted(let grant) = decision { return .granted(grant) }
            var next = negotiation ?? caller.negotiation ?? Negotiation(sensor: device.settings.sensor)
            next.record(decision, on: request, under: conditions)
            if next.step == .tryOwnPassword {
                next.record(ownPassword: Negotiation.OwnPassword(isRight: try ownPassword(self)))
            }
            if next.step != .decide { return Authorization(decision, next) }
            negotiation = next
        }
    }

    /// The decision about an item that is not there.
    mutating func authorizeMissing(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Authorization {
        try requireRoomForRecord()
        let conditions = conditions(for: caller)
        let tag =
            switch reference {
            case .key(let key): key.tag(store.fixed.index)
            case .id(let id): Tag(of: id.bytes.span.bytes, under: store.fixed.index)
            }
        let subject = subjectMissing(action, reference, for: caller)
        return try authorize(subject, on: tag, action, for: caller, in: state, under: conditions)
    }

    /// Returns true if nothing but what is stored stands in the way of `action`. Nothing goes on record.
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
            case .key(let key): groups.number(of: groupTag(key.group, store.fixed.index))
            case .id: .first
            }
        return .missing(action, group, namesGroup: caller.namesGroup)
    }

    /// Returns true if any of an item's wraps opens by what is open and what a context holds.
    func opensByForce(_ record: RecordView, in state: ContextState) throws -> Bool {
        let header = record.header
        if !header.control.isProtected {
            guard isOpen(header) else { return false }
            _ = try openPlain(record)
            return true
        }
        for way in header.control.ways(device.settings.fidelity) {
            guard let wrap = record.wrap(for: way) else { continue }
            let outcome: Unwrapped? = try ring.read { contents in
                try contents.keys.with(header.control.protection.keyClass) { classKey in
                    try state.withPassword(for: header.id.evidenceID, in: contents) { password in
                        try Wrap.open(
                            wrap, for: way, of: header, core: record.core.bytes, under: classKey,
                            state.held(in: contents).gates, password: password)
                    }
                }
            }
            if case .some(.opened) = consume outcome { return true }
        }
        return false
    }

    /// Returns true if the class key is open that an item lies under.
    func isOpen(_ header: Header) -> Bool {
        ring.read { contents in
            contents.keys.with(header.control.protection.keyClass) { $0.id == header.classKey } == true
        }
    }

    /// Tries the application's own password on an item; nil if it has none.
    ///
    /// One that was set for what is about to be stored is kept, also where it does not open what is in the way.
    func tryOwnPassword(
        on record: RecordView, keepingWrong: Bool, in state: ContextState, under conditions: Conditions
    ) throws -> Bool? {
        let id = record.header.id.evidenceID
        let password = try state.copyPassword()
        let opens = try Gates.lend(password) { password in
            guard try opensInner(password, record, in: state, under: conditions) else { return false }
            try state.prove(password, Evidence(.applicationPassword, under: conditions, item: id))
            return true
        }
        if opens == false {
            try requireNotLockedSince()  // nothing opens any more, which says nothing of the password
            if !keepingWrong { state.refusePassword() }
            state.context.passwordRefusedBy = id
        }
        return opens
    }

    /// Returns true if `password` opens some wrap of an item as far as what is open and what the context holds go.
    func opensInner(
        _ password: borrowing Key, _ record: RecordView, in state: ContextState, under conditions: Conditions
    ) throws -> Bool {
        let header = record.header
        // The match that unlocked the device counts here where it would for a grant; its gates are lent for as long.
        let grant = grant(
            expecting: Evidence(.applicationPassword, under: conditions, item: header.id.evidenceID),
            for: record, in: state, under: conditions)
        let reusesUnlock = grant?.reusesUnlock == true
        defer { if reusesUnlock { state.wipeGates([.biometry]) } }
        if let grant, reusesUnlock { try GateKeeper.release(against: .unlock(grant), from: self, to: state) }
        for way in header.control.ways(device.settings.fidelity) where way.contains(.applicationPassword) {
            guard let wrap = record.wrap(for: way) else { continue }
            let copy = try Key?.some(password.copy())
            let outcome: Unwrapped? = try ring.read { contents in
                try contents.keys.with(header.control.protection.keyClass) { classKey in
                    guard classKey.id == header.classKey else { return Unwrapped.gateMissing }
                    return try Wrap.open(
                        wrap, for: way, of: header, core: record.core.bytes, under: classKey,
                        state.held(in: contents).gates, password: copy)
                }
            }
            switch consume outcome {
            case .some(let outcome):
                switch consume outcome {
                case .opened: return true
                case .damaged: throw VaultError.damaged(.item(header.row))
                case .gateMissing: break
                case .wrongPassword: break
                }
            case .none: break
            }
        }
        return false
    }

    /// What would be granted of an item if `evidence` were held besides.
    private func grant(
        expecting evidence: Evidence, for record: RecordView, in state: ContextState, under conditions: Conditions
    ) -> Grant? {
        var context = state.context
        context.add(evidence)
        let item = record.header.item(in: groups.number(of: record.header.group))
        let request = Request(.update, item, in: context, interaction: .preflight)
        guard case .granted(let grant) = decide(request, under: conditions) else { return nil }
        return grant
    }
}

extension Negotiation.OwnPassword {
    /// Creates the result of trying one that is right or wrong, or that there is none.
    package init(isRight: Bool?) { self = isRight.map { $0 ? .proved : .wrong } ?? .none }
}

extension Authorization {
    /// Creates what a negotiation came to by a decision after which it does not decide again.
    fileprivate init(_ decision: Decision, _ negotiation: Negotiation) {
        switch decision {
        case .granted(let grant): self = .granted(grant)
        case .challenge(let ways): self = .challenge(ways, negotiation)
        case .denied(let denial): self = .denied(denial)
        }
    }
}
