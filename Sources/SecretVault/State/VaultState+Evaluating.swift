internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// Evaluations of a policy or an access control in a context, without an item.

extension VaultState {
    /// Decides whether a context meets `policy`.
    mutating func evaluate(
        _ policy: AuthenticationPolicy, for caller: Caller, in state: ContextState
    ) throws -> Authorization {
        try refresh()
        try requireRoomForRecord()
        if caller.sensor == .unasked, device.settings.sensor != .none, policy != .companion {
            throw SensorUnaskedError()
        }
        let conditions = conditions(for: caller)
        return try authorize(.policy(policy), on: .none, nil, for: caller, in: state, under: conditions)
    }

    /// Decides whether a context meets `control` for `operation`; without an operation, whether an item with `control`
    /// could be stored.
    mutating func evaluate(
        _ control: AccessControl, _ operation: Operation?, for caller: Caller, in state: ContextState
    ) throws -> Authorization {
        try refresh()
        try requireRoomForRecord()
        try requireSensorAsked(control, for: caller)
        let conditions = conditions(for: caller)
        let subject = Request.Subject.accessControl(control, operation)
        return try authorize(subject, on: .none, nil, for: caller, in: state, under: conditions) { enclave in
            try enclave.acceptUnchecked(nil, in: state) ? true : nil
        }
    }

    /// Accepts the application's own password, or the one that the user typed, without a check: there is no item to
    /// check it against. It therefore counts for no item. Returns false if there is no password.
    func acceptUnchecked(_ typed: borrowing Key?, in state: ContextState) throws -> Bool {
        let evidence = Evidence(.applicationPassword, under: device.conditions())
        switch typed {
        case .some(let typed):
            try state.record(typed, evidence)
            return true
        case .none:
            let own = try state.copyPassword()
            return try Gates.lend(own) {
                try state.record($0, evidence)
                return true
            } ?? false
        }
    }

    /// Checks the application's own password, or the one that the user typed, by opening an item with it. Returns nil
    /// if there is no password or no such item, or if the device was locked meanwhile.
    mutating func check(
        password typed: borrowing Key?, on item: ItemReference, keepingWrong: Bool = false, for caller: Caller,
        in state: ContextState
    ) throws -> Bool? {
        let found: Bool?? = try withRecord(item) { enclave, record in
            let conditions = enclave.conditions(for: caller)
            switch typed {
            case .none:
                defer { state.context.passwordRefusedBy = nil }  // a wrong password may be right in the next call
                return try enclave.tryOwnPassword(
                    on: record, keepingWrong: keepingWrong, in: state, under: conditions)
            case .some(let typed):
                guard try enclave.opens(record, by: typed, in: state, under: conditions) else {
                    return enclave.ring.hasLocked ? nil : false
                }
                try state.record(
                    typed, Evidence(.applicationPassword, under: conditions, item: record.header.id.evidenceID))
                return true
            }
        }
        return found ?? nil
    }
}
