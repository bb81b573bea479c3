import Foundation
import Measuring

// Prints the figures of the keychain as JSON lines, or those groups of them that are named.

let groups: [(name: String, measure: (String) throws -> [Figure])] = [
    ("reads", readsAgainstFloor), ("protected", protectedReads), ("creation", creation), ("pam", pamTransactions),
]
let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(
    path: ".build/keychains-\(UUID().uuidString)"
).path
try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(atPath: folder) }
for group in groups where arguments.isEmpty || arguments.contains(group.name) {
    for figure in try group.measure(folder) { figure.print() }
}
