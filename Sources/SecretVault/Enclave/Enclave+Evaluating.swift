internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// What a context is asked to prove by itself, for no item.

extension Enclave {
    /// Decides whether `policy` is met in a context.
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

    /// Decides whether `control` is met for `operation` in a context; without an operation, whether it could be stored.
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

    /// Takes the application's own password, or one that somebody typed, as what it is said to be: there is no item that could
    /// tell right from wrong, and so it proves nothing for any. False where there is none.
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

    /// Checks the application's own password, or one that the user typed, by whether it opens an item. Nil where there is
    /// nothing to check, or nothing left to check it by.
    mutating func check(
        password typed: borrowing Key?, on item: ItemIdentifier, keepingWrong: Bool = false, for caller: Caller,
        in state: ContextState
    ) throws -> Bool? {
        let found: Bool?? = try withRecord(.id(item)) { enclave, record in
            let conditions = enclave.conditions(for: caller)
            switch typed {
            case .none:
                defer { state.context.passwordRefusedBy = nil }  // it says nothing of the next call
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
