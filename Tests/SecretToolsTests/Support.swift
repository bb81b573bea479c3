import SecretTools
import SodiumKit

// Conveniences for the tests in this folder.

/// Creates a secret from a text.
func secret(_ text: String) throws -> SecureBytes { try SecureBytes(text) }

/// Creates a secret from bytes, which need not be UTF-8.
func secret(_ bytes: [UInt8]) throws -> SecureBytes { try SecureBytes(copying: bytes.span.bytes) }

extension SecureBytes {
    /// The bytes, to compare.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// The text, to compare. Bytes that are not UTF-8 become replacement characters.
    borrowing func shown() -> String { String(decoding: array(), as: UTF8.self) }
}

extension ImportedSecret {
    /// The notes, to compare; empty if there are none.
    var note: String {
        switch comment {
        case .some(let comment): comment.shown()
        case .none: field("notes") ?? ""
        }
    }

    /// Returns a field, to compare; nil if there is none.
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.bytes.shown() }

    /// The fields, each as `NAME=VALUE`, to compare.
    var fieldTexts: [String] { fields.map { "\($0.name)=\($0.bytes.shown())" } }
}
