package import AccessPolicy
internal import DeviceModel
public import SodiumKit

extension Vault {
    /// Returns the secret of an item; nil for an item without one. Private keys cannot be read.
    ///
    /// - Throws: ``VaultError`` if the item or the vault is damaged, or the vault is closed.
    public func read(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        try readKnown(item, for: caller, in: context).bytes()
    }

    /// Returns the secret of an item with the item's identifier.
    ///
    /// A preflight asks only for the decision and gets no bytes: see ``decision(_:_:for:in:)``.
    package func readKnown(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ReleasedSecret> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { try $0.release(.readData, item, for: caller.released, in: state) }
        }
    }

    /// Returns a part of an item's secret; nil if it has none such. Former versions beyond the limit count as gone.
    package func readPart(
        _ part: SecretPart, of item: ItemReference, keeping limit: HistoryLimit, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                let now = vault.hour(for: caller)
                return try vault.open(.readData, item, for: caller.released, in: state) { record, plaintext in
                    try plaintext.withBody(saved: record.header.modified) { body in
                        var body = body
                        body.forget(beyond: limit, at: now)
                        return try body.copy(of: part)
                    } ?? nil
                }
            }
        }
    }

    /// Returns what an item's secret consists of; nil for an item without one. This needs the same authentication as
    /// reading it. Former versions beyond the limit count as gone.
    package func outline(
        _ item: ItemReference, keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecretOutline?> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                let now = vault.hour(for: caller)
                return try vault.open(.readData, item, for: caller.released, in: state) { record, plaintext in
                    try plaintext.withBody(saved: record.header.modified) { body in
                        var body = body
                        body.forget(beyond: limit, at: now)
                        return SecretOutline(body)
                    }
                }
            }
        }
    }

    /// Returns the attributes and dates of an item. This needs the same authentication as reading the secret.
    public func attributes(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.readAttributes, item, for: caller, in: context)
    }

    /// Returns the name and access policy of an item for the owner's own list. This needs only that the item's class is
    /// open.
    public func inventory(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.inventory, item, for: caller, in: context)
    }

    /// Returns the attributes and dates of an item, for any action that neither writes nor uses the secret.
    package func describe(
        _ action: Action, _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        if action.writes || action.usesSecret { return .denied(Denial(.operationWithoutEntry)) }
        return try run(in: context) { vault, state in
            try vault.deciding(action, item, for: caller, in: state) { vault, record, _ in
                try vault.seals.stored(record)
            }
        }
    }
}

extension SecretBody {
    /// Returns a copy of a part; nil if there is none such.
    fileprivate func copy(of part: SecretPart) throws -> SecureBytes? {
        switch part {
        case .value(let place):
            guard versions.indices.contains(place) else { return nil }
            return try versions[place].value.guarded()
        case .field(let name, let place):
            guard versions.indices.contains(place),
                let field = versions[place].fields.first(where: { $0.name == name })
            else { return nil }
            return try field.value.guarded()
        case .valueWith(let names, let place):
            guard versions.indices.contains(place) else { return nil }
            let version = versions[place]
            let empty = UnsafeRawBufferPointer(start: nil, count: 0)
            return try SecretParts.joined(
                [version.value] + names.map { name in version.fields.first { $0.name == name }?.value ?? empty })
        }
    }
}

extension Reply where Value == ReleasedSecret {
    /// Returns the same reply without the item's identifier.
    fileprivate consuming func bytes() -> Reply<SecureBytes?> {
        switch consume self {
        case .granted(var released): .granted(released.bytes.take())
        case .challenge(let challenge): .challenge(challenge)
        case .denied(let denial): .denied(denial)
        }
    }
}
