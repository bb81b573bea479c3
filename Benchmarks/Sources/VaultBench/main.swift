import Foundation
import Measuring

// Prints the figures of the vault as JSON lines, or those groups of them that are named.

let groups: [(name: String, measure: (String) throws -> [Figure])] = [
    ("floor", readsAgainstFloor), ("million", millionItems), ("adds", durableAdds), ("passcodes", passcodes),
]
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "peak" {
    try readThousand(at: arguments[1])
} else {
    let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(
        path: ".build/vaults-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for group in groups where arguments.isEmpty || arguments.contains(group.name) {
        for figure in try group.measure(folder) { figure.print() }
    }
}
