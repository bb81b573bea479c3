import Foundation
import Measuring

// Prints the figures of the agent, or only the named groups. With `hold`, it keeps a vault unlocked for other programs
// to measure: it
// prints where the vault is, and ends with its input.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["hold"] {
    try measure([], of: [("hold", hold)])
} else {
    try measure(
        arguments,
        of: [
            ("reads", reads), ("echo", echo), ("clients", clients), ("locking", locking), ("many", many), ("log", log),
            ("folders", folders), ("ssh", ssh),
        ])
}

func hold(_ folder: String) throws -> [Figure] {
    let vault = try HeldVault(1_000, at: folder + "/hold")
    let place = [
        "vault": vault.path, "runtime": vault.runtime, "name": HeldVault.name(500), "secret": HeldVault.secret(500),
    ]
    FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: place) + Data("\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    return []
}
