import CFloor
import Measuring
import SecretVault
import SodiumKit

/// Reads beside the floor, round by round.
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

/// What a million items do to reading, to opening and to memory.
func millionItems(_ folder: String) throws -> [Figure] {
    let million = 1_000_000
    let reads = 10_000
    let small = try Rows(1_000, at: folder + "/thousand")
    let few = (0..<10).flatMap { _ in Rows.references(1_000, of: 1_000) }
    let path = folder + "/million"
    let seconds = try nanoseconds { try Rows(million, at: path).vault.close() } / 1e9
    let opening = try (0..<11).map { _ in
        try nanoseconds { try Vault.open(at: path).close() } / 1e6
    }
    let large = try Rows(at: path)
    var ratios: [Double] = []
    for _ in 0..<21 {
        let many = Rows.references(reads, of: million)
        let inSmall = try nanoseconds { try small.read(few) }
        ratios.append(try nanoseconds { try large.read(many) } / inSmall)
    }
    large.vault.close()
    let floorRatio = try floorMillion(folder)
    return [
        Figure(name: "add.million.per_s", value: Double(million) / seconds, unit: "1/s", runs: 1),
        Figure(name: "open.million.ms", value: median(opening), unit: "ms", runs: opening.count),
        Figure(name: "read.million.vs_thousand.ratio", value: median(ratios), unit: "times", runs: ratios.count),
        Figure(name: "floor.million.vs_thousand.ratio", value: floorRatio, unit: "times", runs: 21),
        try peak(ofReading: path),
    ]
}

/// What a million rows do to the floor itself: the same number of different rows each time.
private func floorMillion(_ folder: String) throws -> Double {
    let million = 1_000_000
    guard let small = floor_create(folder + "/floor-thousand.db", 1_000),
        let large = floor_create(folder + "/floor-million.db", million)
    else { throw CannotMeasure() }
    defer {
        floor_close(small)
        floor_close(large)
    }
    let few = (0..<10).flatMap { _ in (0..<UInt32(1_000)).shuffled() }
    let ratios = try (0..<21).map { _ in
        let many = (0..<10_000).map { _ in UInt32.random(in: 0..<UInt32(million)) }
        let inSmall = try nanoseconds { try require(floor_read(small, few, few.count) == few.count) }
        return try nanoseconds { try require(floor_read(large, many, many.count) == many.count) } / inSmall
    }
    return median(ratios)
}
