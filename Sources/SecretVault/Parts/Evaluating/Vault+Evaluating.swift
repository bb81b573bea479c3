package import AccessPolicy
internal import DeviceModel
public import SodiumKit

extension Vault {
    /// Decides whether a context satisfies `policy`, for no item.
    package func evaluate(
        _ policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Reply<Void> {
        Reply(try authorization(of: policy, for: caller, in: context))
    }

    /// Decides whether a context satisfies `control` for `operation`. Without an operation, decides whether an item with
    /// `control` could be stored.
    package func evaluate(
        _ control: AccessControl, for operation: Operation?, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Reply<Void> {
        Reply(try authorization(of: control, for: operation, for: caller, in: context))
    }

    /// Returns the decision on `policy`, without a prompt.
    package func decision(
        on policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Decision {
        try authorization(of: policy, for: caller, in: context).decision
    }

    /// Returns the decision on `control` for `operation`, without a prompt.
    package func decision(
        on control: AccessControl, for operation: Operation?, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Decision {
        try authorization(of: control, for: operation, for: caller, in: context).decision
    }

    private func authorization(
        of policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Authorization {
        try run(in: context) { vault, state in
            try vault.refresh()
            try vault.requireRoomForRecord()
            if caller.sensor == .unasked, vault.device.settings.sensor != .none, policy != .companion {
                throw SensorUnaskedError()
            }
            let conditions = vault.conditions(for: caller)
            return try vault.authorize(.policy(policy), on: .none, nil, for: caller, in: state, under: conditions)
        }
    }

    private func authorization(
        of control: AccessControl, for operation: Operation?, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Authorization {
        try run(in: context) { vault, state in
            try vault.refresh()
            try vault.requireRoomForRecord()
            try vault.requireSensorAsked(control, for: caller)
            let conditions = vault.conditions(for: caller)
            let subject = Request.Subject.accessControl(control, operation)
            return try vault.authorize(subject, on: .none, nil, for: caller, in: state, under: conditions) {
                try $0.acceptUnchecked(nil, in: state) ? true : nil
            }
        }
    }

    /// Checks a password that the user typed: it is right if it opens `item` together with the other evidence in
    /// `context`. Returns nil if nothing can be checked, or if the prompt is over.
    package func check(
        password: borrowing SecureBytes, on item: ItemReference, for caller: Caller, in context: VaultContext,
        at sheet: PromptTicket
    ) throws(VaultError) -> Bool? {
        let key = try stretched(password)
        return try run(in: context) { vault, state in
            if try vault.isOverNow(sheet) { return nil }
            return try vault.check(password: key, on: item, for: caller, in: state)
        }
    }

    /// Checks the password that the app has set in `context`. Returns nil if there is none, or if it was found wrong
    /// before.
    ///
    /// A wrong password is dropped. If `keepingWrong` is true, it stays, because the app may have set it for another
    /// item.
    package func checkOwnPassword(
        on item: ItemReference, keepingWrong: Bool, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Bool? {
        try run(in: context) {
            try $0.check(password: nil, on: item, keepingWrong: keepingWrong, for: caller, in: $1)
        }
    }

    /// Accepts a password that the user typed while there is no item to check it against. Returns false if the prompt
    /// is over.
    package func acceptUnchecked(
        password: borrowing SecureBytes, in context: VaultContext, at sheet: PromptTicket
    ) throws(VaultError) -> Bool {
        let key = try stretched(password)
        return try run(in: context) { try !$0.isOverNow(sheet) && $0.acceptUnchecked(key, in: $1) }
    }

    /// Accepts the password that the app has set while there is no item to check it against. Returns false if there is
    /// none.
    package func acceptOwnPasswordUnchecked(in context: VaultContext) throws(VaultError) -> Bool {
        try run(in: context) { try $0.acceptUnchecked(nil, in: $1) }
    }

    /// Stretches an application password. This takes as long as stretching a passcode, and the vault is free for other
    /// requests meanwhile.
    func stretched(_ password: borrowing SecureBytes) throws(VaultError) -> Key? {
        let (cost, salt) = try run { ($0.bag.cost, $0.bag.applicationSalt) }
        do { return try cost.stretch(password, salt: salt) } catch { throw Self.inOurWords(error, path) }
    }
}

extension VaultContext {
    /// Sets the application password. It is stretched first, which takes as long as checking a passcode.
    public func setApplicationPassword(_ password: borrowing SecureBytes) throws(VaultError) {
        let key = try vault.stretched(password)
        try vault.run(in: self) { try $1.setPassword(copying: key) }
    }

    /// Forgets the application password.
    public func dropApplicationPassword() throws(VaultError) {
        try vault.run(in: self) { $1.dropPassword() }
    }

    /// Sets the password that the user chose for the next item to store, until ``endChoosing()``. Returns false if the
    /// prompt is over.
    package func choose(password: borrowing SecureBytes, at sheet: PromptTicket) throws(VaultError) -> Bool {
        let key = try vault.stretched(password)
        return try vault.run(in: self) { vault, state in
            if try vault.isOverNow(sheet) { return false }
            try state.choose(copying: key)
            return true
        }
    }

    /// Forgets the password that the user chose.
    package func endChoosing() throws(VaultError) { try vault.run(in: self) { $1.endChoosing() } }
}
