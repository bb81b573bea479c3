package import SodiumKit

/// A field of a secret, such as its user name. It is protected like the value.
package final class SecretField: Sendable {
    package let name: String
    package let bytes: SecureBytes

    package init(_ name: String, _ bytes: consuming SecureBytes) {
        self.name = name
        self.bytes = bytes
    }

    /// Creates a field whose contents are a text that is not secret.
    package convenience init(_ name: String, text: String) throws(SodiumError) {
        self.init(name, try SecureBytes(text))
    }

    /// Returns true if the contents are this text, which is not secret.
    func holds(_ text: String) -> Bool {
        bytes.count == text.utf8.count
            && bytes.withBytes { bytes in text.utf8.enumerated().allSatisfy { bytes.byte(at: $0.offset) == $0.element }
            }
    }

    /// Returns a value and fields as the agent takes them: each after its length in four bytes, the highest first.
    package static func packed(
        _ value: borrowing SecureBytes, _ fields: [SecretField]
    ) throws(SodiumError) -> SecureBytes {
        var packed = try SecureBuffer(capacity: value.count + fields.reduce(64) { $0 + $1.bytes.count + 4 })
        try append(value, to: &packed)
        for field in fields { try append(field.bytes, to: &packed) }
        return try packed.bytes()
    }

    private static func append(
        _ bytes: borrowing SecureBytes, to packed: inout SecureBuffer
    ) throws(SodiumError) {
        let count = UInt32(bytes.count)
        for shift in [24, 16, 8, 0] { try packed.append(UInt8(truncatingIfNeeded: count >> UInt32(shift))) }
        try bytes.withBytes { (bytes) throws(SodiumError) in try packed.append(bytes) }
    }
}

/// The names of fields that commands, imports and exports give a meaning.
package enum FieldName {
    package static let user = "user"
    /// The URL at which the secret is used.
    package static let url = "url"
    package static let notes = "notes"
    /// The longest name of a field in bytes.
    package static let longest = 128

    /// Returns true if the contents of a field are shown as they are typed: what every login page shows.
    package static func isShown(_ name: String) -> Bool {
        [user, url, "username", "login", "email", "website"].contains(name.lowercased())
    }

    /// Returns true if a field can have this name.
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longest
            && name.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
    }

    /// Returns the name of a field for what another program calls `title`, which none of `taken` has. Blanks become hyphens.
    static func free(_ title: String, unless taken: some Sequence<String>) -> String {
        let words = title.split { $0.isWhitespace }.joined(separator: "-")
        let plain = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var name = ""
        // Leave room for the number of a repetition.
        for scalar in plain where name.utf8.count + 4 <= longest - 8 { name.unicodeScalars.append(scalar) }
        if name.isEmpty { name = "field" }
        let used = Set(taken)
        if !used.contains(name) { return name }
        var number = 2
        while used.contains("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }
}
