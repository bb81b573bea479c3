internal import AccessPolicy
package import SodiumKit

// Tests of wiping need the keys to search memory for them afterwards. Nothing else calls these functions, and they are
// not public. They lend the bytes in place, so that the inspection itself makes no copy.

extension Vault {
    /// Lends every open key to `body`, with a name for it.
    package func withOpenKeysForInspection(_ body: (String, RawSpan) -> Void) throws(VaultError) {
        try run { vault in
            vault.ring.read { contents in
                for keyClass in KeyClass.allCases {
                    _ = contents.keys.with(keyClass) { open in
                        open.key.withBytes { body("\(keyClass) key", $0) }
                        open.plainWay.withBytes { body("\(keyClass) plain way", $0) }
                        open.attributes.withBytes { body("\(keyClass) attributes", $0) }
                    }
                }
                Gates.lend(contents.keys.gate) { $0.withBytes { body("gate key", $0) } }
                switch contents.kept {
                case .some(let kept): kept.unlockKey.withBytes { body("unlock key", $0) }
                case .none: break
                }
                for (number, state) in vault.contexts.all {
                    let held = state.held(in: contents)
                    for gate in vault.bag.gates {
                        let name = "context \(number) gate \(gate.name)"
                        _ = held.gates.with(gate.name) { $0.withBytes { body(name, $0) } }
                    }
                    Gates.lend(held.gates.passcode) { $0.withBytes { body("context \(number) gate passcode", $0) } }
                    Gates.lend(held.password) { $0.withBytes { body("context \(number) password", $0) } }
                }
            }
            let store = vault.store
            store.fixed.header.withBytes { body("fixed header", $0) }
            store.fixed.index.withBytes { body("fixed index", $0) }
            store.fixed.ledger.withBytes { body("fixed ledger", $0) }
            store.fixed.sum.withBytes { body("fixed sum", $0) }
            store.fixed.audit.withBytes { body("fixed audit", $0) }
            store.fixed.always.withBytes { body("fixed always", $0) }
            store.fixed.root.withBytes { body("fixed root", $0) }
            store.fixed.attempts.withBytes { body("fixed attempts", $0) }
            store.fixed.backup.withBytes { body("fixed backup", $0) }
        }
    }

    /// Lends the key of one item, opened as a read would open it, to `body`. An unprotected item has no key.
    package func withItemKeyForInspection(
        _ item: ItemReference, for caller: Caller, in context: VaultContext?, _ body: (RawSpan) -> Void
    ) throws(VaultError) {
        try run(in: context) { vault, state in
            _ = try vault.withRecord(item) { vault, record in
                let decision = try vault.authorize(.readData, record, for: caller, in: state).decision
                guard case .granted(let grant) = decision, record.header.control.isProtected else { return }
                try vault.seals.itemKey(of: record, by: grant, in: state, vault.bag).withBytes { body($0) }
            }
        }
    }

    /// Returns true if some wrap of an item opens with the open class keys, the gates and the password that `context`
    /// holds, without any decision. Tests use this to show that decision and decryption agree.
    package func opensByForce(_ item: ItemReference, in context: VaultContext) throws(VaultError) -> Bool {
        try run(in: context) { vault, state in
            try vault.withRecord(item) { try $0.seals.opensByForce($1, in: state) } ?? false
        }
    }

    /// Lends the keys that exist only while a passcode is being checked to `body`.
    package func withPasscodeKeysForInspection(
        _ passcode: borrowing SecureBytes, _ body: (String, RawSpan) -> Void
    ) throws(VaultError) {
        try run { vault in
            let stretch = try vault.bag.cost.stretch(passcode, salt: vault.bag.salt)
            stretch.withBytes { body("stretch", $0) }
            try vault.store.fixed.passcode(stretch).withBytes { body("passcode key", $0) }
            let root = try vault.bag.root(stretch, vault.store.fixed)
            try Gates.lend(root) { root in
                root.withBytes { body("root", $0) }
                try vault.bag.openPasscodeGate(root).withBytes { body("passcode gate", $0) }
            }
        }
    }
}
