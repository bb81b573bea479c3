import Foundation
import KeyKit
import SodiumKit

// The process whose memory the tests of KeyKit search: `key-exerciser <operation> <family> <disguised key>`. The operation
// "open" gets a disguised archive with the key instead.
//
// The key arrives with every bit flipped, and is uncovered in guarded memory. Any other copy that the test finds was
// left by the operation.

/// Returns the digits of the bytes with every bit flipped.
func disguise(_ bytes: RawSpan) -> String {
    var digits = ""
    for place in 0..<bytes.byteCount {
        let byte = ~bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
        digits += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return digits
}

/// Returns the bytes that were disguised.
func uncover(_ digits: String) throws -> SecureBytes {
    let digits = digits.utf8.map { $0 > 0x60 ? $0 - 0x57 : $0 - 0x30 }
    var bytes = try SecureBytes(count: digits.count / 2)
    bytes.withMutableBytes { bytes in
        for place in bytes.indices { bytes[place] = ~(digits[2 * place] << 4 | digits[2 * place + 1]) }
    }
    return bytes
}

/// Tells the test that it can search, and waits until it has.
func letSearch(_ word: String) {
    print(word)
    fflush(nil)
    _ = readLine()
}

/// Does everything that a private key does, with each of its schemes.
func use(_ key: borrowing PrivateKey) throws {
    let type = key.type
    for scheme in SignatureScheme.all where scheme.family == type.family {
        let counts = [20, 28, 32, 48, 64, 36]
        let signed = counts.contains { count in
            let input = [UInt8](repeating: 7, count: count)
            return (try? key.sign(input.span.bytes, with: scheme)) != nil
        }
        guard signed else { throw KeyError.unavailable }
    }
    for scheme in EncryptionScheme.all where scheme.family == type.family {
        let message = [UInt8](repeating: 9, count: 32)
        let box = try key.publicKey.encrypt(message.span.bytes, with: scheme)
        _ = try key.decrypt(box.span.bytes, with: scheme).count
        // A failure must leave nothing either.
        _ = try? key.decrypt(box.span.bytes.extracting(droppingFirst: 1), with: scheme).count
    }
    if type.family == .ec {
        let other = try PrivateKey.generate(type)
        _ = try key.sharedSecret(with: other.publicKey).count
        _ = try key.sharedSecret(with: other.publicKey, derivedWith: .sha256, count: 32).count
    }
}

/// Exports and imports a key in each format.
func exchange(_ key: borrowing PrivateKey) throws {
    for format in PrivateKeyFormat.allCases where key.type != .ed25519 || format == .pkcs8 {
        let der = try key.der(format)
        _ = try PrivateKey(der: der).type
        let pem = try key.pem(format)
        _ = try PrivateKey(pem: pem).type
    }
    _ = try PrivateKey(externalRepresentation: key.externalRepresentation(), key.type.family).type
}

/// Signs and agrees on Bernstein's curve.
func useOnCurve25519(_ secret: borrowing Key) throws {
    let text = [UInt8](repeating: 7, count: 100)
    let signature = try Ed25519.sign(text.span.bytes, with: secret)
    let publicHalf = try Ed25519.publicHalf(of: secret)
    guard Ed25519.isValid(signature.span.bytes, of: text.span.bytes, by: publicHalf.span.bytes) else {
        throw KeyError.unavailable
    }
    let shared = try Agreement.key(secret, with: Agreement.publicHalf(of: secret).span.bytes)
    switch consume shared {
    case .some: break
    case .none: throw KeyError.unavailable
    }
}

/// Does everything that a symmetric key does. The scalar of the key is taken for one.
func useAsSymmetricKey(_ key: borrowing PrivateKey) throws {
    let scalar = try key.withExternalRepresentation { bytes in
        try SecureBytes(copying: bytes.extracting(droppingFirst: key.publicKey.externalRepresentation.count))
    }
    let text = [UInt8](repeating: 7, count: 100)
    try scalar.withBytes { key in
        for algorithm in DigestAlgorithm.all {
            var code = try RunningMAC(algorithm, key: key)
            try code.add(text.span.bytes)
            let copy = try code.copy()
            _ = try (code.finish(), copy.finish())
            var digest = try RunningDigest(algorithm)
            try digest.add(key)
            let other = try digest.copy()
            _ = try (digest.finish(), other.finish())
            _ = try HKDFFunction.derive(.both, 100, from: key, salt: text.span.bytes, info: text.span.bytes, algorithm)
                .count
            _ = try HKDFFunction.derive(.expand, 100, from: key, info: text.span.bytes, algorithm).count
        }
        for cipher in AuthenticatedCipher.allCases {
            let nonce = [UInt8](repeating: 5, count: 12)
            let box = try cipher.seal(text.span.bytes, key: key, nonce: nonce.span.bytes)
            let (ciphertext, tag) = (
                box.span.bytes.extracting(first: text.count), box.span.bytes.extracting(droppingFirst: text.count)
            )
            _ = try cipher.open(ciphertext, tag: tag, key: key, nonce: nonce.span.bytes).count
            // A failure must leave nothing either.
            _ = try? cipher.open(ciphertext, tag: ciphertext.extracting(first: 16), key: key, nonce: nonce.span.bytes)
                .count
        }
    }
    try scalar.withBytes { try useOnCurve25519(Key(copying: $0)) }
    _ = try X963.derive(100, from: scalar, info: text.span.bytes, .standard(.sha256)).count
}

/// Does one operation, and has released the key when it returns.
func work(_ operation: String, _ key: consuming PrivateKey) throws {
    switch operation {
    case "hold": letSearch("holding")
    case "use": try use(key)
    case "exchange": try exchange(key)
    case "symmetric": try useAsSymmetricKey(key)
    case "generate":
        let made = try PrivateKey.generate(key.type)
        print(made.withExternalRepresentation { disguise($0) })
    default: exit(64)
    }
}

// Without this, the dynamic linker saves the vector registers on the stack at the first call of each function, with
// what the last copy of a key has left in them.
if getenv("LD_BIND_NOW") == nil {
    setenv("LD_BIND_NOW", "1", 1)
    execv("/proc/self/exe", CommandLine.unsafeArgv)
    exit(71)
}
let arguments = CommandLine.arguments
guard arguments.count == 4 else { exit(64) }
if arguments[1] == "open" {
    let archive = try uncover(arguments[3])
    let opened = try archive.withBytes { try PKCS12.open($0, passphrase: SecureBytes("word")).keys.count }
    letSearch(opened == 1 ? "released" : "nothing opened")
    exit(0)
}
try work(arguments[1], PrivateKey(trusted: uncover(arguments[3]), arguments[2] == "ec" ? .ec : .rsa))
letSearch("released")
