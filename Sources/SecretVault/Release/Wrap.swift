internal import AccessPolicy
internal import SodiumKit

/// The result of opening a wrap.
enum Unwrapped: ~Copyable {
    /// The wrap opened; this is the item key.
    case opened(Key)
    /// The context lacks a gate of this way.
    case gateMissing
    /// The wrap differs from what was written.
    case damaged
    /// The application password is wrong, and everything else fits.
    case wrongPassword
}

/// Wraps an item key for one way to satisfy the constraint. Unprotected items have no wraps.
enum Wrap {
    /// Wraps `itemKey` for `way`. `core` is everything that the header says about the item.
    static func seal(
        _ itemKey: borrowing Key, for way: FactorSet, of header: Header, core: RawSpan,
        under classKey: borrowing OpenClassKey, _ cabinet: borrowing GateCabinet, password: borrowing Key?
    ) throws -> [UInt8] {
        var wayKey = try WayKey(classKey.key, way)
        var body: [UInt8] = []
        for factor in way {
            switch factor {
            case .biometry:
                wayKey.add(try cabinet.gate(GateName(biometryOf: header.control.guarding, header.binding)))
            case .companion: wayKey.add(try cabinet.gate(.companion))
            case .passcode:
                let (part, publicHalf) = try PasscodePart.make(cabinet.passcodeGate)
                wayKey.add(part.key)
                body += publicHalf
            case .applicationPassword: break  // sealed inside, under a key of its own
            }
        }
        guard way.contains(.applicationPassword) else {
            return body + Box.seal(itemKey, under: try wayKey.key(), context: core)
        }
        guard
            let inner = try Gates.lend(
                password,
                { password in
                    try CommittedBox.seal(itemKey, under: try innerKey(password, header), context: core)
                })
        else { throw VaultError.damaged(.item(header.row)) }
        Box.seal(inner.span.bytes, under: try wayKey.key(), context: core, onto: &body)
        return body
    }

    /// Opens the wrap for `way` with the gates of a context, and returns the item key.
    static func open(
        _ body: UnsafeRawBufferPointer, for way: FactorSet, of header: Header, core: RawSpan,
        under classKey: borrowing OpenClassKey, _ gates: borrowing Gates, password: borrowing Key?
    ) throws -> Unwrapped {
        if way.isEmpty {
            guard let key = try Box.openKey(body.bytes, under: classKey.plainWay, context: core) else {
                return .damaged
            }
            return .opened(key)
        }
        var wayKey = try WayKey(classKey.key, way)
        var box = body
        for factor in way {
            let isAdded: Bool?
            switch factor {
            case .biometry:
                let name = GateName(biometryOf: header.control.guarding, header.binding)
                isAdded = gates.with(name) { gate in
                    wayKey.add(gate)
                    return true
                }
            case .companion:
                isAdded = gates.with(.companion) { gate in
                    wayKey.add(gate)
                    return true
                }
            case .passcode:
                guard box.count >= Key.count else { return .damaged }
                let publicHalf = UnsafeRawBufferPointer(rebasing: box[..<Key.count])
                box = UnsafeRawBufferPointer(rebasing: box[Key.count...])
                isAdded = try Gates.lend(gates.passcode) { gate in
                    guard let part = try PasscodePart.again(gate, publicHalf.bytes) else { return false }
                    wayKey.add(part)
                    return true
                }
                if isAdded == false { return .damaged }
            case .applicationPassword: isAdded = true
            }
            if isAdded == nil { return .gateMissing }
        }
        let outer = try wayKey.key()
        guard way.contains(.applicationPassword) else {
            guard let key = try Box.openKey(box.bytes, under: outer, context: core) else { return .damaged }
            return .opened(key)
        }
        guard let inner = try Box.open(box.bytes, under: outer, context: core) else { return .damaged }
        let opened: Key?? = try Gates.lend(password) { password in
            let key = try innerKey(password, header)
            return try inner.withBytes { try CommittedBox.openKey($0, under: key, context: core) }
        }
        switch consume opened {
        case .some(.some(let key)): return .opened(key)
        case .some(.none): return .wrongPassword
        case .none: return .gateMissing
        }
    }

    private static func innerKey(_ password: borrowing Key, _ header: Header) throws -> Key {
        var hash = try KeyedHash(password)
        hash.add("inner".utf8Span.span.bytes)
        hash.add(header.id.high)
        hash.add(header.id.low)
        return try hash.key()
    }
}
