import CFloor
import KeyKit
import Measuring
import SodiumKit

// Prints the figures of keys, or those groups of them that are named.

struct CannotMeasure: Error {}

/// Throws if a piece of work failed, so that no figure comes of it.
func require(_ condition: Bool) throws { if !condition { throw CannotMeasure() } }

/// A P-256 key that is built, used and freed for each operation, beside the same in C, round by round.
func operationsAgainstFloor(_: String) throws -> [Figure] {
    let count = 500
    let rounds = 41
    let key = try PrivateKey.generate(.ec(.p256))
    let bytes = key.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
    let digest = [UInt8](0..<32)
    let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
    let message = [UInt8](repeating: 7, count: 64)
    let box = try key.publicKey.encrypt(message.span.bytes, with: scheme)
    var (signFloor, sign, openFloor, open): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<rounds {
        signFloor.append(try nanoseconds { try require(floor_sign(bytes, digest, count) == count) } / Double(count))
        sign.append(
            try nanoseconds {
                for _ in 0..<count {
                    keep(try key.sign(digest.span.bytes, with: .ecdsa(.x962, .sha256, .digest)))
                }
            } / Double(count))
        openFloor.append(
            try nanoseconds { try require(floor_ecies_open(bytes, box, box.count, count) == count) } / Double(count))
        open.append(
            try nanoseconds {
                for _ in 0..<count { try require(key.decrypt(box.span.bytes, with: scheme).count == message.count) }
            } / Double(count))
    }
    return [
        Figure(name: "keykit.sign.us", value: median(sign) / 1e3, unit: "µs", runs: rounds),
        Figure(
            name: "keykit.sign.vs_floor.ratio", value: median(zip(signFloor, sign).map { $0 / $1 }),
            unit: "of the floor", runs: rounds),
        Figure(name: "keykit.ecies.open.us", value: median(open) / 1e3, unit: "µs", runs: rounds),
        Figure(
            name: "keykit.ecies.open.vs_floor.ratio", value: median(zip(openFloor, open).map { $0 / $1 }),
            unit: "of the floor", runs: rounds),
    ]
}

try measure(
    Array(CommandLine.arguments.dropFirst()),
    of: [("operations", operationsAgainstFloor), ("enclave", enclaveKeysAgainstFloor)])
