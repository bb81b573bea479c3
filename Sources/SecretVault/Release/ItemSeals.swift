internal import AccessPolicy
internal import DeviceModel
internal import KeyKit
internal import SodiumKit

/// Reports that the context holds an outdated application password: it opened the item before another program encrypted
/// the item under a new one. The context has dropped the password, so the request must be decided again.
struct PasswordOutdatedError: NothingToCommitError {}

/// Decrypts items with the keys of the ring. This type decides nothing: the caller brings a grant, or opens an
/// unprotected item.
struct ItemSeals {
    let store: Store
    let ring: KeyRing

    /// The result of opening something with a key of the ring.
    private enum Unlocked<Value: ~Copyable>: ~Copyable {
        case opened(Value)
        case missing
        case wrongPassword
    }

    /// Returns the secret of an item as it was sealed, opened by the way that was granted.
    func plaintext(
        of record: RecordView, by grant: Grant, in state: ContextState, _ bag: Keybag
    ) throws -> Plaintext {
        let isBody = record.header.sealsBody
        guard record.header.control.isProtected else { return Plaintext(bytes: try openPlain(record), isBody: isBody) }
        let opened = try openSecret(of: record, context: record.identity.bytes) { body in
            try withItemKey(of: record, by: grant, in: state, bag) { try body($0) }
        }
        return Plaintext(bytes: opened, isBody: isBody)
    }

    /// Returns the secret of an unprotected item as it was sealed. It is sealed under a key of the item's class, together with the whole
    /// header.
    func openPlain(_ record: RecordView) throws -> SecureBytes? {
        try openSecret(of: record, context: record.core.bytes) { body in
            let header = record.header
            let opened: SecureBytes?? = try ring.read { contents in
                try contents.keys.with(header.control.protection.keyClass) { classKey in
                    guard classKey.id == header.classKey else { throw VaultError.damaged(.item(header.row)) }
                    return try body(classKey.plainWay)
                }
            }
            guard case .some(let secret) = consume opened else { throw ring.missing(.damaged(.item(header.row))) }
            return secret
        }
    }

    /// Returns a copy of the item key, opened by the way that was granted.
    func itemKey(of record: RecordView, by grant: Grant, in state: ContextState, _ bag: Keybag) throws -> Key {
        try withItemKey(of: record, by: grant, in: state, bag) { try $0.copy() }
    }

    /// Lends the item key, opened by the way that was granted, to `body`. The ring is pinned meanwhile.
    private func withItemKey<Value: ~Copyable>(
        of record: RecordView, by grant: Grant, in state: ContextState, _ bag: Keybag,
        _ body: (borrowing Key) throws -> Value
    ) throws -> Value {
        let header = record.header
        let damage = VaultError.damaged(.item(header.row))
        guard let wrap = record.wrap(for: grant.way) else { throw damage }
        // The match that unlocked the device counts for this one grant, so its gates are wiped right after it.
        defer { if grant.reusesUnlock { state.wipeGates([.biometry]) } }
        if grant.reusesUnlock { try GateKeeper.release(against: .unlock(grant), of: bag, in: ring, to: state) }
        let outcome: Unlocked<Value>? = try ring.read { contents in
            try contents.keys.with(header.control.protection.keyClass) { classKey in
                guard classKey.id == header.classKey else { throw damage }
                let unwrapped = try state.withPassword(for: header.id.evidenceID, in: contents) { password in
                    try Wrap.open(
                        wrap, for: grant.way, of: header, core: record.core.bytes, under: classKey,
                        state.held(in: contents).gates, password: password)
                }
                switch consume unwrapped {
                case .opened(let key): return .opened(try body(key))
                case .wrongPassword: return .wrongPassword
                case .gateMissing: return .missing
                case .damaged: throw damage
                }
            }
        }
        switch consume outcome {
        case .some(let outcome):
            switch consume outcome {
            case .opened(let value): return value
            case .missing: throw ring.missing(damage)
            case .wrongPassword:
                // The password was right once. Another program has encrypted the item under a new one since.
                state.wipe([.applicationPassword])
                throw PasswordOutdatedError()
            }
        case .none: throw ring.missing(damage)
        }
    }

    /// Opens the secret with the key that `withKey` lends. Returns nil for an item without a secret.
    private func openSecret(
        of record: RecordView, context: RawSpan,
        under withKey: ((borrowing Key) throws -> SecureBytes?) throws -> SecureBytes?
    ) throws -> SecureBytes? {
        let header = record.header
        let opened: SecureBytes?
        if header.isSecretApart {
            opened = try openSecretApart(header, context: context, under: withKey)
        } else {
            opened = try withKey { try Box.open(record.secret.bytes, under: $0, context: context) }
        }
        guard let secret = consume opened else { throw VaultError.damaged(.item(header.row)) }
        guard header.hasSecret else { return nil }
        return secret
    }

    /// Opens a secret that is stored outside its row. It may be large, so this fetches and opens it without pinning the
    /// ring, and throws the result away if the device was locked meanwhile.
    private func openSecretApart(
        _ header: Header, context: RawSpan,
        under withKey: ((borrowing Key) throws -> SecureBytes?) throws -> SecureBytes?
    ) throws -> SecureBytes? {
        var copied: Key?
        _ = try withKey { key in
            copied = try key.copy()
            return nil
        }
        let found = try openSecret(in: store.items.find(.row(header.row), .secret, in: .items), copied, context)
        copied = nil
        try ring.requireNotLockedSince()
        guard let secret = consume found else { throw VaultError.damaged(.item(header.row)) }
        return secret
    }

    private func openSecret(
        in lease: borrowing RowLease?, _ key: borrowing Key?, _ context: RawSpan
    ) throws -> SecureBytes? {
        switch lease {
        case .some(let lease):
            guard let box = lease.secret else { return nil }
            return try Gates.lend(key) { try Box.open(box.bytes, under: $0, context: context) } ?? nil
        case .none: return nil
        }
    }
}

extension ItemSeals {
    /// Returns the description and dates of an item, without its secret.
    func stored(_ record: RecordView) throws -> StoredItem {
        let header = record.header
        let sealed = try attributes(of: record)
        var description = ItemDescription(
            header.itemClass, sealed.attributes, header.control, group: sealed.group, isKey: header.isKey,
            isSynchronizable: header.isSynchronizable)
        description.allowsReuse = header.allowsReuse
        return StoredItem(
            id: header.id, description: description, created: ItemDate.seconds(header.created),
            modified: ItemDate.seconds(header.modified))
    }

    func attributes(of record: RecordView) throws -> SealedAttributes {
        let damage = VaultError.damaged(.item(record.header.row))
        guard let lease = try store.items.find(.row(record.header.row), .attributes, in: .items) else { throw damage }
        let opened = try openAttributes(lease, of: record)
        lease.end()
        return try opened.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                do { return try SealedAttributes(decoding: bytes) } catch { throw damage }
            }
        }
    }

    private func openAttributes(_ lease: borrowing RowLease, of record: RecordView) throws -> SecureBytes {
        guard let box = lease.attributes else { throw VaultError.damaged(.item(lease.row)) }
        return try openAttributes(box, of: record)
    }

    /// Returns the encoded attributes of an item, opened by the key of its class. `box` is what its row has of them.
    func openAttributes(_ box: UnsafeRawBufferPointer, of record: RecordView) throws -> SecureBytes {
        let header = record.header
        let damage = VaultError.damaged(.item(header.row))
        let found: SecureBytes? = try ring.read { contents in
            try contents.keys.with(header.control.protection.keyClass) { classKey in
                guard classKey.id == header.classKey,
                    let opened = try Box.open(
                        box.bytes, under: classKey.attributes, context: record.identity.bytes)
                else { throw damage }
                return opened
            }
        }
        guard let opened = consume found else { throw ring.missing(damage) }
        return opened
    }
}

extension ItemSeals {
    /// Returns true if any of an item's wraps opens with the open class keys and what the context holds.
    func opensByForce(_ record: RecordView, in state: ContextState) throws -> Bool {
        let header = record.header
        if !header.control.isProtected {
            guard isOpen(header) else { return false }
            _ = try openPlain(record)
            return true
        }
        for way in header.control.ways(ring.read { $0.device.settings.fidelity }) {
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

    /// Returns true if the class key that encrypts the item is open.
    func isOpen(_ header: Header) -> Bool {
        ring.read { contents in
            contents.keys.with(header.control.protection.keyClass) { $0.id == header.classKey } == true
        }
    }

    /// Returns true if `password` opens some wrap of an item, given the open class keys and what the context holds.
    func opens(
        _ record: RecordView, by password: borrowing Key, counting grant: Grant?, in state: ContextState, _ bag: Keybag
    ) throws -> Bool {
        let header = record.header
        // The match that unlocked the device counts here as it would for a grant, so its gates are lent for this check
        // only.
        let reusesUnlock = grant?.reusesUnlock == true
        defer { if reusesUnlock { state.wipeGates([.biometry]) } }
        if let grant, reusesUnlock { try GateKeeper.release(against: .unlock(grant), of: bag, in: ring, to: state) }
        for way in header.control.ways(ring.read { $0.device.settings.fidelity })
        where way.contains(.applicationPassword) {
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

    /// Decrypts an item that needs no authentication. Returns false if its class is closed, or if it needs
    /// authentication.
    func opensAlone(_ record: RecordView) throws -> Bool {
        let header = record.header
        guard isOpen(header) else { return false }
        _ = try attributes(of: record)
        if header.control.isProtected { return false }
        _ = try openPlain(record)
        return true
    }
}

extension ItemSeals {
    /// Throws if a key that is kept outside the vault was sealed under a class key that the vault no longer has, as
    /// after an erasure.
    func requireOwn(_ record: RecordView) throws {
        let header = record.header
        let isOther = ring.read { contents in
            contents.keys.with(header.control.protection.keyClass) { $0.id != header.classKey }
        }
        if isOther == true { throw VaultError.key(.malformed(.sealedKey)) }
    }
}
