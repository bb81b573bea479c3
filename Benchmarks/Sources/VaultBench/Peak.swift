import Foundation
import Measuring
import SecretVault

/// Measures the memory of a process that opens the vault at `path`, unlocks it and reads a thousand items.
func peak(ofReading path: String) throws -> Figure {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["peak", path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let kibibytes = Double(said.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CannotMeasure() }
    return Figure(name: "peak.million.mib", value: kibibytes / 1024, unit: "MiB", runs: 1)
}

/// Does the work of that process, and prints the most memory that it has used, in KiB.
func readThousand(at path: String) throws {
    let rows = try Rows(at: path)
    try rows.read(Rows.references(1_000, of: 1_000_000))
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        print(line.split(whereSeparator: \.isWhitespace)[1])
    }
}
