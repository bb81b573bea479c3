import SecretTools
import SodiumKit

// What the tests of this folder say often.

/// Some of them will not do as texts, so that all are bytes here.
func secret(_ text: String) throws -> SecureBytes { try SecureBytes(text) }

func secret(_ bytes: [UInt8]) throws -> SecureBytes { try SecureBytes(copying: bytes.span.bytes) }

extension SecureBytes {
    /// The bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// The text, for comparing; what is none becomes question marks.
    borrowing func shown() -> String { String(decoding: array(), as: UTF8.self) }
}

extension ImportedSecret {
    /// The comment, for comparing; empty where there is none.
    var note: String {
        switch comment {
        case .some(let comment): comment.shown()
        case .none: ""
        }
    }
}
