import Foundation
import KeyKit
import SodiumKit
import Testing

// Helpers for the tests in this folder.

/// Returns the bytes of these hexadecimal digits. Other characters are ignored.
func bytes(hex text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for character in text.utf8 {
        let digit: UInt8
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
        default: continue
        }
        guard let first = high else {
            high = digit
            continue
        }
        bytes.append(first << 4 | digit)
        high = nil
    }
    return bytes
}

/// Returns the bytes of this base64.
func bytes(base64 text: String) throws -> [UInt8] {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
        throw CocoaError(.coderInvalidValue)
    }
    return Array(data)
}

/// Returns the bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Returns `count` bytes: `first`, `first + 1` and so on.
func counting(_ count: Int, from first: UInt8 = 0) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}

/// Returns the bytes in guarded memory.
func secure(_ bytes: [UInt8]) throws -> SecureBytes { try SecureBytes(copying: bytes.span.bytes) }

extension SecureBytes {
    /// Returns the bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }
}

extension PrivateKey {
    /// Returns the external representation, for comparing.
    borrowing func array() -> [UInt8] { withExternalRepresentation { $0.withUnsafeBytes { Array($0) } } }

    /// Reads and checks an external representation.
    init(checking bytes: [UInt8], _ family: KeyFamily) throws {
        self = try PrivateKey(externalRepresentation: secure(bytes), family)
    }

    /// Signs bytes.
    borrowing func sign(_ input: [UInt8], with scheme: SignatureScheme) throws -> [UInt8] {
        try sign(input.span.bytes, with: scheme)
    }

    /// Decrypts bytes.
    borrowing func decrypt(
        _ box: [UInt8], with scheme: EncryptionScheme, _ parameters: EncryptionParameters = EncryptionParameters()
    ) throws -> [UInt8] {
        try decrypt(box.span.bytes, with: scheme, parameters).array()
    }
}

extension PublicKey {
    /// Reads and checks an external representation.
    init(checking bytes: [UInt8], _ family: KeyFamily) throws {
        try self.init(externalRepresentation: bytes.span.bytes, family)
    }

    /// Verifies a signature.
    func verify(_ signature: [UInt8], of input: [UInt8], with scheme: SignatureScheme) throws -> Bool {
        try verify(signature.span.bytes, of: input.span.bytes, with: scheme)
    }

    /// Encrypts bytes.
    func encrypt(
        _ message: [UInt8], with scheme: EncryptionScheme, _ parameters: EncryptionParameters = EncryptionParameters()
    ) throws -> [UInt8] {
        try encrypt(message.span.bytes, with: scheme, parameters)
    }
}

/// One key of each type, generated once, because RSA keys take long.
final class SampleKeys: Sendable {
    /// The keys of this run.
    static let shared = SampleKeys()

    private let bytes: [KeyType: [UInt8]]

    private init() {
        bytes = Dictionary(
            uniqueKeysWithValues: KeyType.generatedTypes.map { type in
                guard let key = try? PrivateKey.generate(type) else { preconditionFailure("no \(type) key") }
                return (type, key.array())
            })
    }

    /// Returns the key of a type.
    func key(_ type: KeyType) throws -> PrivateKey {
        guard let bytes = bytes[type] else { throw KeyError.unsupportedType }
        return try PrivateKey(trusted: secure(bytes), type.family)
    }
}

/// A key type with a signature scheme that it supports.
struct SigningCase: CustomTestStringConvertible, Sendable {
    let type: KeyType
    let scheme: SignatureScheme

    static let all = KeyType.generatedTypes.flatMap { type in
        SignatureScheme.all.filter { $0.family == type.family }.map { SigningCase(type: type, scheme: $0) }
    }

    var testDescription: String { "\(type) \(scheme)" }

    /// An input of the right length.
    var input: [UInt8] {
        switch scheme {
        case .ecdsa(_, let hash, .digest), .rsaPKCS1(let hash, .digest), .rsaPSS(let hash, .digest):
            counting(hash.digestCount, from: 7)
        case .ecdsaOfAnyDigest, .rsaPKCS1OfAnyDigest: counting(36)
        case .rsaRaw: counting(type.blockCount - 1, from: 3)
        case .ecdsa, .rsaPKCS1, .rsaPSS, .ed25519: Array("message".utf8)
        }
    }
}

/// A key type with an encryption scheme that it supports.
struct EncryptionCase: CustomTestStringConvertible, Sendable {
    let type: KeyType
    let scheme: EncryptionScheme

    static let all = KeyType.generatedTypes.flatMap { type in
        EncryptionScheme.all.filter { $0.family == type.family }.map { EncryptionCase(type: type, scheme: $0) }
    }

    var testDescription: String { "\(type) \(scheme)" }
}
