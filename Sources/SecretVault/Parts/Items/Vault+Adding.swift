internal import AccessPolicy
internal import DeviceModel
public import SodiumKit

extension Vault {
    /// Stores a new item.
    ///
    /// If an item with the same primary key exists, the vault denies the request; it may ask for the authentication of
    /// that item first. An invalidated item is replaced. An item with an application password needs one in `context`.
    ///
    /// - Throws: ``VaultError`` if the vault cannot store the item.
    public func add(
        _ item: ItemDescription, secret: borrowing SecureBytes, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try secret.withBytes { secret throws(VaultError) in try store(item, secret, for: caller, in: context) }
    }

    /// Stores a new item that has no secret.
    public func add(
        _ item: ItemDescription, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try store(item, nil, for: caller, in: context)
    }

    /// Stores a new item with this secret, or without one.
    func store(
        _ item: ItemDescription, _ secret: RawSpan?, for caller: Caller, in context: VaultContext?
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            try vault.changing { try $0.store(item, secret: secret, for: caller, in: state) }
        }
    }

    /// Stores a new item with a value and fields, as ``add(_:secret:for:in:)`` stores one with a value alone.
    package func add(
        _ item: ItemDescription, parts: borrowing SecretParts, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            let saved = vault.hour(for: caller)
            let plaintext = try parts.withParts { value, fields in
                try SecretBody(value: value, fields: fields, saved: saved).plaintext()
            }
            let isBody = plaintext.isBody
            return try lending(plaintext.bytes) { secret in
                try vault.changing {
                    try $0.store(item, secret: secret, isBody: isBody, for: caller, in: state)
                }
            }
        }
    }

    /// Deletes items and stores a new one in one transaction: all of it happens, or none. Items that do not exist for
    /// the caller are skipped. Each step is decided as if it were a request of its own. The deletions can be undone for as
    /// long as `limit` says.
    package func exchange(
        _ former: [ItemReference], for item: ItemDescription, secret: borrowing SecureBytes,
        keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try secret.withBytes { secret throws(VaultError) in
            try run(in: context) { vault, state in
                try vault.changing { vault in
                    for reference in former {
                        do {
                            _ = try vault.withRecord(reference) {
                                try $0.remove($1, keeping: limit, for: caller, in: state)
                            }
                        } catch let refused as NotGrantedError where vault.isAbsent(refused.authorization.decision) {}
                    }
                    return try vault.store(item, secret: secret, for: caller, in: state)
                }
            }
        }
    }

    /// Stores many new items in one transaction: all of them, or none. Each is decided as if it were a request of its
    /// own. If one is not granted, its reply is the reply for all.
    ///
    /// This is much faster than adding the items one by one. All of them stay in memory until they are stored. The
    /// vault reads `items` and calls `secret` during its operation, so neither may use the vault or its contexts.
    public func addAll(
        _ items: some Sequence<ItemDescription>, for caller: Caller, in context: VaultContext? = nil,
        secret: (_ place: Int) throws -> SecureBytes?
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { vault, state in
            // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
            if !vault.audit.isEmpty { try vault.writeRecords() }
            var underWay: ItemDescription?
            return try vault.answering { vault in
                do {
                    return try vault.transaction(isLarge: true) { vault in
                        var stored: [ItemIdentifier] = []
                        for (place, item) in items.enumerated() {
                            underWay = item
                            try vault.makeRoomWithinTransaction()
                            let id = try lending(try secret(place)) {
                                try vault.store(item, secret: $0, for: caller, in: state)
                            }
                            stored.append(id)
                        }
                        return stored
                    }
                } catch is KeysGoneError {
                    // The caller may be able to supply items and secrets only once, so storing is not repeated. The
                    // decision is made again on the locked device.
                    vault.begin()
                    if let underWay { try vault.authorizeStoring(underWay, for: caller, in: state) }
                    throw VaultError.busy(vault.store.path)
                }
            }
        }
    }
}
