package import AccessPolicy
internal import DeviceModel
package import SodiumKit

/// The answer to an access to a protected file.
package enum FileAnswer<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// The access may go ahead.
    case granted(Value)
    case denied(FileRule)
}

/// The key of a new file, and what the file keeps of it.
package struct NewFileKey: ~Copyable, Sendable {
    package let key: Key
    /// The key as the file keeps it.
    package let wrapped: [UInt8]
    /// The public half of class B, as the folder keeps it for a locked device; nil if the folder has it already, or if the
    /// device is locked.
    package let half: [UInt8]?
}

extension Vault {
    /// Decides about an access to a file that needs no key.
    ///
    /// - Parameters:
    ///   - access: The access.
    ///   - file: The file and the program, for the audit log; nil for an inquiry, which leaves no record.
    package func decision(_ access: FileAccess, about file: FileSubject?) throws(VaultError) -> FileDecision {
        try run { vault in
            try vault.refresh()
            if file != nil { try vault.requireRoomForRecord() }
            let decision = decide(access, under: vault.device.conditions())
            if let file { vault.record(access, decision, about: file) }
            return decision
        }
    }

    /// The number of restarts and erasures of the device so far. A file that was opened before the last one is closed.
    package var restarts: UInt64 {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.ring.read { $0.restarts }
            }
        }
    }

    /// Returns the key of a new file, if the device can create files of this class now.
    ///
    /// - Parameters:
    ///   - protection: The class of the file.
    ///   - identity: The bytes that identify the file. Its key opens only together with them.
    ///   - half: The public half of class B that an earlier call returned. A locked device needs it for that class.
    ///   - file: The file and the program, for the audit log; nil to leave no record.
    /// - Returns: The key. It is missing in a grant if a locked device needs `half` and has none that it made itself.
    package func createFileKey(
        _ protection: FileProtection, for identity: [UInt8], half: [UInt8]?, about file: FileSubject?
    ) throws(VaultError) -> FileAnswer<NewFileKey?> {
        try run { vault in
            let ring = vault.ring
            return try vault.answer(.create(protection), about: file) { (contents, decision) -> NewFileKey? in
                let key = try Key.random()
                let boxedHalf = half == nil || protection == .completeUnlessOpen ? try contents.boxedHalf(half) : nil
                let wrapped = try contents.wrap(key, protection, identity, decision, half, orElse: ring)
                guard let wrapped else { return nil }
                return NewFileKey(key: key, wrapped: wrapped, half: boxedHalf)
            }
        }
    }

    /// Returns `key` of a file, wrapped for another class, if the device can create files of that class now.
    ///
    /// The move itself was decided and recorded before: this leaves no record.
    ///
    /// - Returns: The wrapped key. It is missing in a grant as ``createFileKey(_:for:half:about:)`` says.
    package func wrapFileKey(
        _ key: borrowing Key, _ protection: FileProtection, for identity: [UInt8], half: [UInt8]?
    ) throws(VaultError) -> FileAnswer<[UInt8]?> {
        try run { vault in
            let ring = vault.ring
            return try vault.answer(.create(protection), about: nil) { (contents, decision) -> [UInt8]? in
                try contents.wrap(key, protection, identity, decision, half, orElse: ring)
            }
        }
    }

    /// Returns the key of a file, if the device can open files of this class now.
    ///
    /// - Returns: The key. It is missing in a grant if the file is of another device or class, or damaged.
    package func openFileKey(
        _ wrapped: [UInt8], _ protection: FileProtection, for identity: [UInt8], to access: FileAccess,
        about file: FileSubject?
    ) throws(VaultError) -> FileAnswer<Key?> {
        try run { vault in
            let ring = vault.ring
            return try vault.answer(access, about: file) { (contents, _) -> Key? in
                let opened: Key?? = try contents.keys.with(protection.keyClass) { open in
                    try FileKeys(open).open(wrapped.span.bytes, protection, identity.span.bytes)
                }
                guard case .some(let key) = consume opened else { throw ring.missing(.damaged(.keybag)) }
                return key
            }
        }
    }
}

extension KeyRing.Contents {
    /// Returns a key wrapped for a class, as the decision allows; nil if a locked device needs `half` and has none.
    fileprivate func wrap(
        _ key: borrowing Key, _ protection: FileProtection, _ identity: [UInt8], _ decision: FileDecision,
        _ half: [UInt8]?, orElse ring: KeyRing
    ) throws -> [UInt8]? {
        if decision.rule == .createdWhileLocked {
            guard let known = try half.flatMap({ try openHalf($0) }) else { return nil }
            return try FileKeys.seal(key, to: known, identity.span.bytes)
        }
        let wrapped = try keys.with(protection.keyClass) { try FileKeys($0).wrap(key, protection, identity.span.bytes) }
        guard let wrapped else { throw ring.missing(.damaged(.keybag)) }
        return wrapped
    }

    /// Returns the public half of class B, sealed for a locked device; nil while the class is closed, or if `known` has it.
    fileprivate func boxedHalf(_ known: [UInt8]?) throws -> [UInt8]? {
        let half = try keys.with(FileProtection.completeUnlessOpen.keyClass) { try FileKeys($0).publicHalf() }
        guard let half else { return nil }
        if let known, try openHalf(known) == half { return nil }
        return try keys.with(FileProtection.none.keyClass) { try FileKeys($0).seal(half: half) }
    }

    fileprivate func openHalf(_ box: [UInt8]) throws -> [UInt8]? {
        try keys.with(FileProtection.none.keyClass) { try FileKeys($0).open(half: box.span.bytes) } ?? nil
    }
}
