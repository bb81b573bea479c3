import AccessPolicy
import DeviceModel
import Measuring
import PolicyProver

// Prints the figures of the prover, or only the named groups.

let groups: [(name: String, measure: @Sendable () async throws -> [Figure])] = [
    ("speed", speed), ("claims", claims), ("threats", threats), ("everything", everything), ("growth", growth),
]
let names = Array(CommandLine.arguments.dropFirst())
for group in groups where names.isEmpty || names.contains(group.name) {
    for figure in try await group.measure() { figure.print() }
}
