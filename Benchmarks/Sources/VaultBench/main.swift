import AccessPolicy
import CFloor
import Foundation
import Measuring
import SecretVault
import SodiumKit

// Prints the figures of the vault as JSON lines; with `peak` and a path, those of a process that only opens the vault there.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "peak" {
    try peak(at: arguments[1])
} else if arguments.first == "read" {
    try profile()
} else {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "latchkey-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for measure in [readsAgainstFloor] { for figure in try measure(folder) { figure.print() } }
}
