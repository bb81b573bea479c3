import CFloor
import Measuring
import SecretVault

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
    for _ in 0..<31 {
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

struct CannotMeasure: Error {}

func profile() throws {
    let rows = try Rows(10_000, at: "/tmp/h-d-prof-\(UInt32.random(in: 0...UInt32.max))")
    let references = Rows.references(10_000, of: 10_000)
    var all: [Double] = []
    if arguments.contains("floor") {
        guard let floor = floor_create("/tmp/h-d-prof-f\(UInt32.random(in: 0...UInt32.max))", 10000) else { return }
        let places = (0..<UInt32(10000)).shuffled()
        for _ in 0..<100 { all.append(nanoseconds { _ = floor_read(floor, places, 10000) } / 10000) }
        print(median(all))
        return
    }
    for _ in 0..<(Int(arguments.last ?? "") ?? 60) { all.append(try nanoseconds { try rows.read(references) } / 10000) }
    print(median(all))
}
func peak(at path: String) throws {}
