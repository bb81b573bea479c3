public import AccessPolicy
internal import DeviceModel

extension Vault {
    /// Returns the decision that a request would get. This releases no secret and changes nothing.
    public func decision(
        _ action: Action, _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Decision {
        var caller = caller
        caller.interaction = .preflight
        return try run(in: context) { [caller] vault, state in
            let found = try vault.withRecord(item) { vault, record in
                try vault.authorize(action, record, for: caller, in: state).decision
            }
            if let found { return found }
            try vault.refresh()
            return try vault.authorizeMissing(action, item, for: caller, in: state).decision
        }
    }

    /// Returns the decision on a request for an item of this group that does not exist.
    package func decision(
        _ action: Action, missingFrom group: String, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Decision {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: context) { try $0.authorizeMissing(action, .key(key), for: caller, in: $1).decision }
    }

    /// Returns the denial of `action` in this group, if no stored item changes that. If the result depends on the items, it
    /// returns nil and records nothing.
    public func refusal(
        of action: Action, inGroup group: String, for caller: Caller
    ) throws(VaultError) -> Denial? {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: nil) { vault, state in
            if vault.isOpen(action, .key(key), for: caller, in: state) { return nil }
            return try vault.authorizeMissing(action, .key(key), for: caller, in: state).decision.denial
        }
    }

    /// Returns true if an item is invalidated, so that nothing can open or use it again; nil if there is no such item.
    /// This changes nothing.
    package func isInvalidated(_ item: ItemReference) throws(VaultError) -> Bool? {
        try run { vault in
            try vault.refresh()
            return try vault.withRecord(item) { vault, record in
                lastingDenial(of: record.header.item(in: .first), under: vault.device.conditions()) != nil
            }
        }
    }
}
