package import SodiumKit

/// The contents of a sealed secret: its value and its fields, and those that it had before.
///
/// A secret that has only a value is sealed as that value. Any other is sealed as a body, and the format of its row says
/// so. The pieces point into guarded memory, so a body is valid only as long as that memory is lent.
package struct SecretBody {
    /// A field: its name and its contents.
    package typealias Field = (name: String, value: UnsafeRawBufferPointer)

    /// The value and the fields that a secret has had since a moment.
    package struct Version {
        /// The date on which it was saved, in milliseconds since the first day of 2001.
        package var saved: Int64
        package var value: UnsafeRawBufferPointer
        package var fields: [Field] = []

        /// Adds a field, or replaces it.
        fileprivate mutating func save(_ field: Field) throws(VaultError) {
            if let place = fields.firstIndex(where: { $0.name == field.name }) {
                fields[place].value = field.value
                return
            }
            guard fields.count < SecretFields.limit else { throw .tooManyFields(limit: SecretFields.limit) }
            fields.append(field)
        }

        /// Returns true if value and fields are the same. The time that this takes does not reveal where they differ.
        fileprivate func holdsSame(as other: Version) -> Bool {
            fields.count == other.fields.count && Sodium.areEqual(value.bytes, other.value.bytes)
                && zip(fields, other.fields).allSatisfy {
                    $0.name == $1.name && Sodium.areEqual($0.value.bytes, $1.value.bytes)
                }
        }
    }

    /// The versions, the present one first.
    package private(set) var versions: [Version]

    private static let format: UInt8 = 1
    /// The size of the largest body that has former versions. Larger ones could not be locked in memory.
    static let largestWithFormer = SecureBytes.largestLocked

    /// Creates a body without former versions.
    package init(value: UnsafeRawBufferPointer, fields: [Field] = [], saved: Int64) {
        versions = [Version(saved: saved, value: value, fields: fields)]
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(ByteReader.FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.format else { throw ByteReader.FormatError() }
        let count = Int(try reader.number(UInt8.self))
        guard count > 0 else { throw ByteReader.FormatError() }
        versions = []
        for _ in 0..<count {
            var version = Version(saved: try reader.number(), value: try reader.slice())
            for _ in 0..<Int(try reader.number(UInt8.self)) {
                guard let name = String(validating: try reader.slice(), as: UTF8.self) else {
                    throw ByteReader.FormatError()
                }
                version.fields.append((name, try reader.slice()))
            }
            versions.append(version)
        }
        try reader.requireEnd()
    }

    /// True if a value is all that there is.
    private var isPlain: Bool { versions.count == 1 && versions[0].fields.isEmpty }

    /// Returns what to seal, in guarded memory.
    package func plaintext() throws -> Plaintext {
        if isPlain { return Plaintext(bytes: try versions[0].value.guarded(), isBody: false) }
        var bytes = try SecureBytes(count: encodedCount)
        bytes.withMutableBytes { target in
            var writer = Writer(target: target)
            writer.write(Self.format)
            writer.write(UInt8(versions.count))
            for version in versions {
                writer.write(version.saved)
                writer.write(version.value)
                writer.write(UInt8(version.fields.count))
                for field in version.fields {
                    var name = field.name
                    name.withUTF8 { writer.write(UnsafeRawBufferPointer($0)) }
                    writer.write(field.value)
                }
            }
        }
        return Plaintext(bytes: bytes, isBody: true)
    }

    /// The number of bytes of the encoded body.
    private var encodedCount: Int {
        versions.reduce(2) { count, version in
            version.fields.reduce(count + 8 + 4 + version.value.count + 1) {
                $0 + 4 + $1.name.utf8.count + 4 + $1.value.count
            }
        }
    }

    /// Writes numbers and bytes into memory of the right size.
    private struct Writer {
        let target: UnsafeMutableRawBufferPointer
        var place = 0

        mutating func write<Number: FixedWidthInteger>(_ number: Number) {
            target.storeBytes(of: number.littleEndian, toByteOffset: place, as: Number.self)
            place += MemoryLayout<Number>.size
        }

        mutating func write(_ bytes: UnsafeRawBufferPointer) {
            write(UInt32(bytes.count))
            UnsafeMutableRawBufferPointer(rebasing: target[place...]).copyBytes(from: bytes)
            place += bytes.count
        }
    }
}

extension SecretBody {
    /// Removes the former versions that the limit does not allow at a moment.
    package mutating func forget(beyond limit: HistoryLimit, at now: Int64) {
        var count = min(versions.count, 1 + limit.count)
        for place in versions.indices.dropFirst() where place < count {
            let (age, isTooOld) = now.subtractingReportingOverflow(versions[place - 1].saved)
            if isTooOld || age >= limit.age { count = place }
        }
        versions.removeLast(versions.count - count)
        while versions.count > 1 && encodedCount > Self.largestWithFormer { versions.removeLast() }
    }

    /// Removes every former version.
    package mutating func forgetAll() { versions.removeLast(versions.count - 1) }

    /// Makes `value` and `fields` the present version. The version before becomes a former one, unless they are the same.
    private mutating func save(_ version: Version) {
        if !version.holdsSame(as: versions[0]) { versions.insert(version, at: 0) }
    }

    /// Saves a value and these fields. The other fields stay only if they may.
    package mutating func save(
        value: UnsafeRawBufferPointer, fields: [Field] = [], at now: Int64, keepsFields: Bool
    ) throws(VaultError) {
        var version = Version(saved: now, value: value, fields: keepsFields ? versions[0].fields : [])
        for field in fields { try version.save(field) }
        save(version)
    }

    /// Replaces the value of the present version. Its date stays, as the date of the last change that the user made.
    package mutating func amend(value: UnsafeRawBufferPointer) { versions[0].value = value }

    /// Saves a field; removes it if `value` is nil.
    package mutating func save(field name: String, _ value: UnsafeRawBufferPointer?, at now: Int64) throws(VaultError) {
        var version = versions[0]
        version.saved = now
        if let value {
            try version.save((name, value))
        } else {
            guard let place = version.fields.firstIndex(where: { $0.name == name }) else { return }
            version.fields.remove(at: place)
        }
        save(version)
    }

    /// Makes a former version the present one. The present one becomes a former one, so that this can be undone too.
    package mutating func restore(_ place: Int, at now: Int64) throws(VaultError) {
        guard versions.indices.dropFirst().contains(place) else { throw .noFormerVersion }
        var version = versions.remove(at: place)
        version.saved = now
        versions.insert(version, at: 0)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns a copy in guarded memory.
    package func guarded() throws -> SecureBytes { try SecureBytes(copying: bytes) }
}

/// A secret as it is sealed: only its value, or a ``SecretBody``.
package struct Plaintext: ~Copyable {
    /// The bytes; nil for an item without a secret.
    package var bytes: SecureBytes?
    /// True if the bytes are a body.
    package var isBody: Bool

    package init(bytes: consuming SecureBytes?, isBody: Bool) {
        self.bytes = bytes
        self.isBody = isBody
    }

    /// Lends the body to `body`; nil if the item has no secret.
    ///
    /// - Throws: `ByteReader.FormatError` if the bytes are no body.
    package borrowing func withBody<Result: ~Copyable>(
        saved: Int64, _ body: (SecretBody) throws -> Result
    ) throws -> Result? {
        switch bytes {
        case .none: return nil
        case .some(let bytes):
            return try bytes.withBytes { bytes in
                try bytes.withUnsafeBytes { bytes in
                    try body(isBody ? SecretBody(decoding: bytes) : SecretBody(value: bytes, saved: saved))
                }
            }
        }
    }

    /// Returns the same with only those former versions that the limit allows at a moment.
    package consuming func forgetting(beyond limit: HistoryLimit, at now: Int64) throws -> Plaintext {
        if !isBody { return self }
        let plaintext = try withBody(saved: 0) { body in
            var body = body
            body.forget(beyond: limit, at: now)
            return try body.plaintext()
        }
        return plaintext ?? Plaintext(bytes: nil, isBody: false)
    }

    /// Returns the same without former versions.
    package consuming func withoutFormer() throws -> Plaintext {
        if !isBody { return self }
        let plaintext = try withBody(saved: 0) { body in
            var body = body
            body.forgetAll()
            return try body.plaintext()
        }
        return plaintext ?? Plaintext(bytes: nil, isBody: false)
    }

    /// Returns the present value; nil if the item has no secret.
    package consuming func value() throws -> SecureBytes? {
        if !isBody { return bytes }
        return try withBody(saved: 0) { try $0.versions[0].value.guarded() }
    }
}
