import AccessPolicy
import CFloor
import DeviceModel
import Latchkey
import Measuring
import SecretVault
import SodiumKit

/// Measures reads of a real vault through its keychain, granted without a prompt, and the floor in turn.
func readsAgainstFloor(_ folder: String) throws -> [Figure] {
    let count = 10_000
    let keychain = try Keychain.create(at: folder + "/real", passcode: SecureBytes("123456")).keychain
    defer { keychain.close() }
    for number in 0..<count { try keychain.add(item(number), secret: SecureBytes(count: 64)) }
    guard let floor = floor_create(folder + "/floor.db", count) else { throw CannotMeasure() }
    defer { floor_close(floor) }
    let references = (0..<count).shuffled().map { reference($0, keychain) }
    let places = (0..<UInt32(count)).shuffled()
    var floors: [Double] = []
    var ours: [Double] = []
    for _ in 0..<41 {
        floors.append(try nanoseconds { try require(floor_read(floor, places, count) == count) } / Double(count))
        ours.append(try nanoseconds { try read(references, keychain, in: nil) } / Double(count))
    }
    return [
        Figure(name: "keychain.read.ns", value: median(ours), unit: "ns", runs: ours.count),
        Figure(
            name: "read.keychain.vs_floor.ratio", value: median(zip(floors, ours).map { $0 / $1 }),
            unit: "of the floor", runs: ours.count),
    ]
}

/// Measures reads of items behind biometry in an authenticated context. The sensor's enrolled set is checked before
/// each read.
func protectedReads(_ folder: String) throws -> [Figure] {
    let count = 1_000
    let keychain = try Keychain.createSimulated(at: folder + "/protected", passcode: "123456")
    defer { keychain.close() }
    let control = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
    for number in 0..<count { try keychain.add(item(number, control), secret: SecureBytes(count: 64)) }
    let context = try keychain.makeContext()
    try context.evaluate(.biometry)
    let references = (0..<count).shuffled().map { reference($0, keychain) }
    let times = try (0..<41).map { _ in try nanoseconds { try read(references, keychain, in: context) } / Double(count)
    }
    return [
        Figure(name: "read.protected.context.per_s", value: 1e9 / median(times), unit: "1/s", runs: times.count)
    ]
}

/// Measures creating a simulated device in memory with a passcode and a finger.
func creation(_: String) throws -> [Figure] {
    let times = try (0..<201).map { _ in try nanoseconds { try Keychain.simulated().close() } / 1e3 }
    return [Figure(name: "keychain.simulated.create.us", value: median(times), unit: "µs", runs: times.count)]
}

private func item(_ number: Int, _ control: AccessControl? = nil) -> NewItem {
    .password(account: "account \(number)", service: "service \(number % 1000)", control)
}

private func reference(_ number: Int, _ keychain: Keychain) -> ItemReference {
    keychain.password(account: "account \(number)", service: "service \(number % 1000)")
}

private func read(_ references: [ItemReference], _ keychain: Keychain, in context: KeychainContext?) throws {
    for reference in references {
        let secret = try keychain.read(reference, in: context)
        switch consume secret {
        case .some: continue
        case .none: try require(false)
        }
    }
}

/// Stops the run if the measured operation did not succeed.
func require(_ condition: Bool) throws {
    struct Failed: Error {}
    if !condition { throw Failed() }
}

/// The error that something which a figure needs could not be set up.
struct CannotMeasure: Error {}
