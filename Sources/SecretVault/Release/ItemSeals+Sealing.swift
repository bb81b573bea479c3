internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The parts of a stored item that its description lacks: identifier, version, binding and dates.
struct ItemStamp {
    let id: ItemIdentifier
    /// The number of the transaction that writes this version.
    let version: UInt64
    let binding: Binding
    let created: Int64
    let modified: Int64
}

extension ItemSeals {
    /// Encrypts an item. `isBody` is true if the secret is a ``SecretBody``.
    func lockUp(
        _ item: ItemDescription, _ stamp: ItemStamp, secret: RawSpan?, isBody: Bool, in state: ContextState,
        _ bag: Keybag
    ) throws -> SealedItem {
        let itemKey = try Key.random()
        let count = secret?.byteCount
        let columns = item.columnTags(store.fixed.index)
        let key = item.primaryKey.tag(store.fixed.index)
        let group = groupTag(item.group, store.fixed.index)
        let locked = try withClassKey(item.control.protection.keyClass) { classKey, contents -> Locked in
            let cabinet = try GateCabinet(bag, contents.keys.gate)
            let header = Header(
                id: stamp.id, version: stamp.version,
                itemClass: item.itemClass, control: item.control, classKey: classKey.id, binding: stamp.binding,
                isKey: item.isKey, isSynchronizable: item.isSynchronizable, allowsReuse: item.allowsReuse,
                hasSecret: count != nil, isSecretApart: (count ?? 0) > SecretSize.inRow,
                sealsBody: isBody, group: group, primaryKey: key,
                created: stamp.created,
                modified: stamp.modified)
            var record = header.encoded(columns)
            let core = Array(record[Header.prefix...])
            // An unprotected item has no key of its own. A key of its class encrypts the secret.
            for way in item.control.ways(contents.device.settings.fidelity) where item.control.isProtected {
                let missing = GateName(biometryOf: item.control.guarding, stamp.binding)
                if way.contains(.biometry) && !bag.gates.contains(where: { $0.name == missing }) {
                    continue  // An enrollment change has closed this way; it stays closed.
                }
                let wrap = try state.withPasswordToStore(stamp.id.evidenceID, in: contents) { password in
                    try Wrap.seal(
                        itemKey, for: way, of: header, core: core.span.bytes, under: classKey, cabinet,
                        password: password)
                }
                record.appendWrap(for: way, wrap)
            }
            let tag = record.sealHead(store.fixed.header)
            let identity = Array(record[Header.identityRange])
            let sealed = SealedAttributes(attributes: item.attributes, group: item.group).encoded
            let attributes = Box.seal(sealed.span.bytes, under: classKey.attributes, context: identity.span.bytes)
            // The secret may be large, so it is sealed after the ring is released.
            return item.control.isProtected
                ? Locked(record: record, tag: tag, attributes: attributes, key: try itemKey.copy(), context: identity)
                : Locked(
                    record: record, tag: tag, attributes: attributes, key: try classKey.plainWay.copy(), context: core)
        }
        let box = locked.sealing(secret)
        return SealedItem(
            row: key.row, id: stamp.id, itemClass: item.itemClass, version: stamp.version, record: locked.record,
            tag: locked.tag, attributes: locked.attributes, columns: columns, secret: box)
    }

    /// Lends the key of a class to `body`.
    private func withClassKey<Result: ~Copyable>(
        _ keyClass: KeyClass, _ body: (borrowing OpenClassKey, borrowing KeyRing.Contents) throws -> Result
    ) throws -> Result {
        let made: Result? = try ring.read { contents in
            try contents.keys.with(keyClass) { try body($0, contents) }
        }
        guard let made = consume made else { throw ring.missing(.damaged(.keybag)) }
        return made
    }

    /// An item whose secret is still to be sealed, with the key for it.
    private struct Locked: ~Copyable {
        let record: [UInt8]
        let tag: Tag
        let attributes: [UInt8]
        let key: Key
        let context: [UInt8]

        /// Returns the sealed secret, or an empty box for an item without one.
        borrowing func sealing(_ secret: RawSpan?) -> [UInt8] {
            guard let secret else { return Box.seal(RawSpan(), under: key, context: context.span.bytes) }
            return Box.seal(secret, under: key, context: context.span.bytes)
        }
    }
}

extension ItemDescription {
    /// Returns the tags of the columns by which a search finds the item.
    fileprivate func columnTags(_ indexKey: borrowing Key) -> [(IndexColumn, Tag)] {
        var tags: [(IndexColumn, Tag)] = []
        for (name, value) in attributes.values {
            if let column = IndexColumn(name: name) { tags.append((column, column.tag(value, indexKey))) }
        }
        return tags.sorted { $0.0.rawValue < $1.0.rawValue }
    }
}
