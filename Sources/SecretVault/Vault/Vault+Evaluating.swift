package import AccessPolicy
internal import DeviceModel
package import SodiumKit

extension Vault {
    /// Decides whether a context satisfies `policy`, for no item.
    package func evaluate(
        _ policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Reply<Void> {
        try run(in: context) { Reply(try $0.evaluate(policy, for: caller, in: $1)) }
    }

    /// Decides whether a context satisfies `control` for `operation`. Without an operation, decides whether an item with
    /// `control` could be stored.
    package func evaluate(
        _ control: AccessControl, for operation: Operation?, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Reply<Void> {
        try run(in: context) { Reply(try $0.evaluate(control, operation, for: caller, in: $1)) }
    }

    /// Returns the decision on `policy`, without a prompt.
    package func decision(
        on policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Decision {
        try run(in: context) { try $0.evaluate(policy, for: caller, in: $1).decision }
    }

    /// Returns the decision on `control` for `operation`, without a prompt.
    package func decision(
        on control: AccessControl, for operation: Operation?, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Decision {
        try run(in: context) { try $0.evaluate(control, operation, for: caller, in: $1).decision }
    }

    /// Records that a prompt ended without authentication, by `rule`. `item` is the item of the request.
    package func recordPrompt(
        endedBy rule: Rule, on item: ItemIdentifier?, for caller: Caller
    ) throws(VaultError) {
        try run { try $0.recordPrompt(endedBy: rule, on: item, for: caller) }
    }

    /// Records that a caller has listed items.
    package func recordList(for caller: Caller) throws(VaultError) {
        try run { enclave in
            try enclave.requireRoomForRecord()
            enclave.audit.add(.event, "list", by: caller, hour: enclave.device.now.milliseconds)
        }
    }

    /// Checks a password that the user typed: it is right if it opens `item` together with the other evidence in
    /// `context`. Returns nil if nothing can be checked, or if the prompt is over.
    package func check(
        password: borrowing SecureBytes, on item: ItemReference, for caller: Caller, in context: VaultContext,
        at sheet: PromptTicket
    ) throws(VaultError) -> Bool? {
        let key = try stretched(password)
        return try run(in: context) { enclave, state in
            if try enclave.isOverNow(sheet) { return nil }
            return try enclave.check(password: key, on: item, for: caller, in: state)
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
    /// Sets the password that the user chose for the next item to store, until ``endChoosing()``. Returns false if the
    /// prompt is over.
    package func choose(password: borrowing SecureBytes, at sheet: PromptTicket) throws(VaultError) -> Bool {
        let key = try vault.stretched(password)
        return try vault.run(in: self) { enclave, state in
            if try enclave.isOverNow(sheet) { return false }
            try state.choose(copying: key)
            return true
        }
    }

    /// Forgets the password that the user chose.
    package func endChoosing() throws(VaultError) { try vault.run(in: self) { $1.endChoosing() } }
}
