package import SodiumKit

/// A value with fields, all in one piece of guarded memory.
///
/// Each part is its length in four bytes, the highest first, and its bytes: the value, and then each field.
package struct SecretParts: ~Copyable, Sendable {
    private let bytes: SecureBytes
    private let value: Range<Int>
    private let fields: [(name: String, place: Range<Int>)]

    /// Finds the parts in `bytes`: a value, and a field for each name. Returns nil if these are not exactly the parts.
    package init?(_ bytes: consuming SecureBytes, fields names: [String]) {
        guard Set(names).count == names.count, names.count <= SecretFields.limit else { return nil }
        let places: [Range<Int>]? = bytes.withBytes { bytes in
            var places: [Range<Int>] = []
            var start = 0
            for _ in 0...names.count {
                guard bytes.byteCount - start >= 4 else { return nil }
                var count = 0
                for place in start..<start + 4 {
                    count = count << 8 | Int(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
                }
                start += 4
                guard count <= bytes.byteCount - start else { return nil }
                places.append(start..<start + count)
                start += count
            }
            return start == bytes.byteCount ? places : nil
        }
        guard let places else { return nil }
        self.bytes = bytes
        value = places[0]
        fields = Array(zip(names, places.dropFirst())).map { (name: $0, place: $1) }
    }

    /// Returns parts in one piece, as ``init(_:fields:)`` reads them.
    package static func joined(_ parts: [UnsafeRawBufferPointer]) throws(SodiumError) -> SecureBytes {
        var whole = try SecureBuffer(capacity: parts.reduce(0) { $0 + 4 + $1.count })
        for part in parts {
            for shift in [24, 16, 8, 0] { try whole.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
            try whole.append(part.bytes)
        }
        return try whole.bytes()
    }

    /// The number of bytes of the value and the fields.
    package var count: Int {
        borrowing get { value.count + fields.reduce(0) { $0 + $1.place.count } }
    }

    /// Lends the value and the fields to `body`.
    package borrowing func withParts<Result: ~Copyable>(
        _ body: (_ value: UnsafeRawBufferPointer, _ fields: [SecretBody.Field]) throws -> Result
    ) rethrows -> Result {
        let (value, fields) = (value, fields)
        return try bytes.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                try body(
                    UnsafeRawBufferPointer(rebasing: bytes[value]),
                    fields.map { ($0.name, UnsafeRawBufferPointer(rebasing: bytes[$0.place])) })
            }
        }
    }
}
