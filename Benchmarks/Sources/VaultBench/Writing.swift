import CFloor
import Measuring
import SecretVault
import SodiumKit

/// Measures adding items one by one, each on the disk before the next, and as many bytes in plain SQLite.
func durableAdds(_ folder: String) throws -> [Figure] {
    let count = 100
    // The size of a row of these items: header, wrap, tag, secret, attributes and the columns for finding it.
    let size = 520
    let rows = try Rows(0, at: folder + "/adds")
    guard let floor = floor_create(folder + "/adds.db", 0) else { throw CannotMeasure() }
    defer { floor_close(floor) }
    var floors: [Double] = []
    var ours: [Double] = []
    for round in 0..<7 {
        floors.append(try perSecond(count) { try require(floor_add_durably(floor, count, size) == count) })
        ours.append(
            try perSecond(count) {
                for number in 0..<count {
                    try require(
                        rows.vault.add(
                            Rows.item(round * count + number), secret: try SecureBytes(count: 64), for: Rows.caller
                        ).isGranted)
                }
            })
    }
    return [
        Figure(name: "add.durable.per_s", value: median(ours), unit: "1/s", runs: ours.count),
        Figure(name: "sqlite.durable.per_s", value: median(floors), unit: "1/s", runs: floors.count),
    ]
}

private func perSecond(_ count: Int, _ body: () throws -> Void) throws -> Double {
    Double(count) / (try nanoseconds(body) / 1e9)
}

/// Measures the passcode of a real vault beside stretching alone, and creating a vault in memory at the cost that tests
/// use.
func passcodes(_ folder: String) throws -> [Figure] {
    let passcode = try SecureBytes(Rows.passcode)
    let vault = try Vault.create(at: folder + "/real", .real(), passcode: try SecureBytes(Rows.passcode)).vault
    var stretches: [Double] = []
    var unlocks: [Double] = []
    for _ in 0..<5 {
        stretches.append(try nanoseconds { try require(floor_stretch_moderate() == 0) } / 1e6)
        try vault.lock()
        unlocks.append(try nanoseconds { _ = try vault.enter(passcode: passcode) } / 1e6)
    }
    let creations = try (0..<201).map { _ in
        try nanoseconds { _ = try Vault.inMemory(passcode: try SecureBytes(Rows.passcode)) } / 1e3
    }
    return [
        Figure(name: "unlock.moderate.ms", value: median(unlocks), unit: "ms", runs: unlocks.count),
        Figure(name: "argon2id.moderate.ms", value: median(stretches), unit: "ms", runs: stretches.count),
        Figure(name: "vault.create.memory.us", value: median(creations), unit: "µs", runs: creations.count),
    ]
}
