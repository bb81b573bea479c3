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

func profile() throws {}
func peak(at path: String) throws {}
