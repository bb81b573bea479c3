import AccessPolicy
import CFloor
import KeyKit
import Latchkey
import Measuring
import SodiumKit

/// A P-256 key of the enclave behind biometry, used in an authenticated context of a keychain on disk, beside a key in
/// C, round by round. Each use compares the sensor's list, decides, opens the wrap and is audited.
func enclaveKeysAgainstFloor(_ folder: String) throws -> [Figure] {
    let count = 200
    let rounds = 61
    let keychain = try Keychain.createSimulated(at: folder + "/keys", passcode: "123456")
    defer { keychain.close() }
    let control = try AccessControl(protection: .whenUnlocked, flags: [.privateKeyUsage, .biometryAny])
    let key = try keychain.generateKey(NewItem(.key, ["labl": .string("signer")], control))
    let context = try keychain.makeContext()
    try context.evaluate(.biometry)
    // The floor has a key of its own, because the private half of this one never leaves the vault.
    let other = try PrivateKey.generate(.ec(.p256))
    let bytes = other.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
    let digest = [UInt8](0..<32)
    let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
    let message = [UInt8](repeating: 7, count: 64)
    let box = try key.publicKey.encrypt(message.span.bytes, with: scheme)
    let floorBox = try other.publicKey.encrypt(message.span.bytes, with: scheme)
    let signing = KeyOperation.sign(digest, .ecdsa(.x962, .sha256, .digest))
    let opening = KeyOperation.decrypt(box, scheme, EncryptionParameters())
    var (signFloor, sign, openFloor, open): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<rounds {
        signFloor.append(try nanoseconds { try require(floor_sign(bytes, digest, count) == count) } / Double(count))
        sign.append(
            try nanoseconds {
                for _ in 0..<count { try require(keychain.perform(signing, with: key, in: context).count() > 0) }
            } / Double(count))
        openFloor.append(
            try nanoseconds {
                try require(floor_ecies_open(bytes, floorBox, floorBox.count, count) == count)
            } / Double(count))
        open.append(
            try nanoseconds {
                for _ in 0..<count {
                    try require(keychain.perform(opening, with: key, in: context).count() == message.count)
                }
            } / Double(count))
    }
    return [
        Figure(name: "key.sign.us", value: median(sign) / 1e3, unit: "µs", runs: rounds),
        Figure(
            name: "key.sign.vs_floor.ratio", value: median(zip(signFloor, sign).map { $0 / $1 }),
            unit: "of the floor", runs: rounds),
        Figure(name: "ecies.open.us", value: median(open) / 1e3, unit: "µs", runs: rounds),
        Figure(
            name: "ecies.open.vs_floor.ratio", value: median(zip(openFloor, open).map { $0 / $1 }),
            unit: "of the floor", runs: rounds),
    ]
}

extension KeyOutput {
    /// The number of bytes.
    fileprivate consuming func count() -> Int {
        switch consume self {
        case .signature(let bytes): bytes.count
        case .secret(let bytes): bytes.count
        }
    }
}
