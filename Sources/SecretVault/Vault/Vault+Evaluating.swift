package import AccessPolicy
internal import DeviceModel
package import SodiumKit

extension Vault {
    /// Decides whether `policy` is met in a context, for no item.
    package func evaluate(
        _ policy: AuthenticationPolicy, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Reply<Void> {
        try run(in: context) { Reply(try $0.evaluate(policy, for: caller, in: $1)) }
    }

    /// Decides whether `control` is met for `operation` in a context; without an operation, whether it could be stored.
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

    /// Puts on record that a prompt was over without a proof, by `rule`. `item` is the one that it was about.
    package func recordPrompt(
        endedBy rule: Rule, on item: ItemIdentifier?, for caller: Caller
    ) throws(VaultError) {
        try run { try $0.recordPrompt(endedBy: rule, on: item, for: caller) }
    }

    /// Puts on record that a caller has listed what there is.
    package func recordList(for caller: Caller) throws(VaultError) {
        try run { enclave in
            try enclave.requireRoomForRecord()
            enclave.audit.add(.event, "list", by: caller, hour: enclave.device.now.milliseconds)
        }
    }

    /// Checks a password that the user typed by whether it opens `item`, as far as everything else is proved in `context`.
    /// Nil where nothing can be checked, or the prompt is over that it was typed at.
    package func check(
        password: borrowing SecureBytes, on item: ItemIdentifier, for caller: Caller, in context: VaultContext,
        at sheet: SheetTicket
    ) throws(VaultError) -> Bool? {
        let key = try stretched(password)
        return try run(in: context) { enclave, state in
            if try enclave.isOverNow(sheet) { return nil }
            return try enclave.check(password: key, on: item, for: caller, in: state)
        }
    }

    /// Checks the password that the application has set in `context`. Nil where it has set none, or it was found wrong. A
    /// wrong one is dropped, unless it was set for something else, and only has to be kept from being tried on `item`.
    package func checkOwnPassword(
        on item: ItemIdentifier, keepingWrong: Bool, for caller: Caller, in context: VaultContext
    ) throws(VaultError) -> Bool? {
        try run(in: context) {
            try $0.check(password: nil, on: item, keepingWrong: keepingWrong, for: caller, in: $1)
        }
    }

    /// Accepts a password that the user typed if there is no item to check it by. Returns false if the prompt is over.
    package func acceptUnchecked(
        password: borrowing SecureBytes, in context: VaultContext, at sheet: SheetTicket
    ) throws(VaultError) -> Bool {
        let key = try stretched(password)
        return try run(in: context) { try !$0.isOverNow(sheet) && $0.acceptUnchecked(key, in: $1) }
    }

    /// The same with the one that the application has set; false where it has set none.
    package func acceptOwnPasswordUnchecked(in context: VaultContext) throws(VaultError) -> Bool {
        try run(in: context) { try $0.acceptUnchecked(nil, in: $1) }
    }

    /// What a password of an application stretches to. That takes as long as a passcode does, and keeps nobody waiting.
    func stretched(_ password: borrowing SecureBytes) throws(VaultError) -> Key? {
        let (cost, salt) = try run { ($0.bag.cost, $0.bag.applicationSalt) }
        do { return try cost.stretch(password, salt: salt) } catch { throw Self.inOurWords(error, path) }
    }
}

extension VaultContext {
    /// Takes a password that somebody chose for what is stored next; it counts until ``endChoosing()``. False where the
    /// prompt is over.
    package func choose(password: borrowing SecureBytes, at sheet: SheetTicket) throws(VaultError) -> Bool {
        let key = try vault.stretched(password)
        return try vault.run(in: self) { enclave, state in
            if try enclave.isOverNow(sheet) { return false }
            try state.choose(copying: key)
            return true
        }
    }

    /// What was chosen is over.
    package func endChoosing() throws(VaultError) { try vault.run(in: self) { $1.endChoosing() } }
}
