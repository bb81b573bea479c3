import CFloor
import Measuring
import SecretVault
import SodiumKit

/// Measures reads and the floor in turn.
func readsAgainstFloor(_ folder: String) throws -> [Figure] {
    let count = 10_000
    let rows = try Rows(count, at: folder + "/ten-thousand")
    guard let floor = floor_create(folder + "/floor.db", count) else { throw CannotMeasure() }
    defer { floor_close(floor) }
    let references = Rows.references(count, of: count)
    let places = (0..<UInt32(count)).shuffled()
    var floors: [Double] = []
    var ours: [Double] = []
    for _ in 0..<41 {
        floors.append(try nanoseconds { try require(floor_read(floor, places, count) == count) } / Double(count))
        ours.append(try nanoseconds { try rows.read(references) } / Double(count))
    }
    return [
        Figure(name: "floor.read.ns", value: median(floors), unit: "ns", runs: floors.count),
        Figure(name: "vault.read.ns", value: median(ours), unit: "ns", runs: ours.count),
        Figure(
            name: "vault.read.vs_floor.ratio", value: median(zip(floors, ours).map { $0 / $1 }), unit: "of the floor",
            runs: ours.count),
    ]
}

/// Measures adding, opening and reading a million items, beside a floor of as many rows.
func millionItems(_ folder: String) throws -> [Figure] {
    let million = 1_000_000
    let path = folder + "/million"
    let seconds = try nanoseconds { try Rows(million, at: path).vault.close() } / 1e9
    let opening = try (0..<11).map { _ in
        try nanoseconds { try Vault.open(at: path).close() } / 1e6
    }
    let reading = try readsOfMillion(million, at: path, beside: folder + "/floor-million.db")
    return [
        Figure(name: "add.million.per_s", value: Double(million) / seconds, unit: "1/s", runs: 1),
        Figure(name: "open.million.ms", value: median(opening), unit: "ms", runs: opening.count),
        Figure(name: "read.million.vs_floor.ratio", value: median(reading), unit: "of the floor", runs: reading.count),
        try peak(ofReading: path),
    ]
}

/// Returns the floor's time for random reads as a part of ours, round by round. Every read finds its page cold, because
/// both share a page cache that holds a small part of the rows.
private func readsOfMillion(_ million: Int, at path: String, beside floorPath: String) throws -> [Double] {
    let reads = 10_000
    let rows = try Rows(at: path)
    defer { rows.vault.close() }
    guard let floor = floor_create(floorPath, million) else { throw CannotMeasure() }
    defer { floor_close(floor) }
    return try (0..<21).map { _ in
        let references = Rows.references(reads, of: million)
        let places = (0..<reads).map { _ in UInt32.random(in: 0..<UInt32(million)) }
        let floorTime = try nanoseconds { try require(floor_read(floor, places, reads) == reads) }
        return floorTime / (try nanoseconds { try rows.read(references) })
    }
}
