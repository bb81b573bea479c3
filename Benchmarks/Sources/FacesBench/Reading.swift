import CFloor
import Foundation
import Latchkey
import Measuring
import Security
import SodiumKit

/// Measures `SecItemCopyMatching` on a real vault, granted without a prompt, and the floor in turn. The dictionaries
/// are made in advance, and the result is not converted to `Data`, which would take Foundation some time.
func readsAgainstFloor(_ folder: String) throws -> [Figure] {
    let count = 10_000
    let keychain = try Keychain.create(at: folder + "/real", passcode: SecureBytes("123456")).keychain
    defer { keychain.close() }
    Keychain.use(keychain)
    defer { Keychain.use(nil) }
    let secret = Data(count: 64)
    for number in 0..<count {
        var item = query(number)
        item[kSecValueData] = secret
        try require(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }
    guard let floor = floor_create(folder + "/floor.db", count) else { throw CannotMeasure() }
    defer { floor_close(floor) }
    let queries = (0..<count).shuffled().map { number in
        var query = query(number)
        query[kSecReturnData] = kCFBooleanTrue!
        query[kSecMatchLimit] = kSecMatchLimitOne
        return query as CFDictionary
    }
    let places = (0..<UInt32(count)).shuffled()
    var item: CFTypeRef?
    try require(SecItemCopyMatching(queries[0], &item) == errSecSuccess && item as? Data == secret)
    var floors: [Double] = []
    var ours: [Double] = []
    for _ in 0..<41 {
        floors.append(try nanoseconds { try require(floor_read(floor, places, count) == count) } / Double(count))
        ours.append(try nanoseconds { try read(queries) } / Double(count))
    }
    return [
        Figure(name: "copymatching.ns", value: median(ours), unit: "ns", runs: ours.count),
        Figure(
            name: "copymatching.vs_floor.ratio", value: median(zip(floors, ours).map { $0 / $1 }),
            unit: "of the floor", runs: ours.count),
    ]
}

private func query(_ number: Int) -> [CFString: Any] {
    [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "account \(number)",
        kSecAttrService: "service \(number % 1000)",
    ]
}

private func read(_ queries: [CFDictionary]) throws {
    for query in queries {
        var item: CFTypeRef?
        try require(SecItemCopyMatching(query, &item) == errSecSuccess)
        try require(item != nil)
    }
}

/// Stops the run if the measured operation did not succeed.
func require(_ condition: Bool) throws {
    struct Failed: Error {}
    if !condition { throw Failed() }
}

/// The error that something which a figure needs could not be set up.
struct CannotMeasure: Error {}
