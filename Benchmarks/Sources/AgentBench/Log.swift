import AccessPolicy
import DeviceModel
import Foundation
import Measuring
import SecretVault
import SodiumKit

/// What a log of a million records costs: the last five by `latchkey log`, and the memory of the agent that has sent all of them.
func log(_ folder: String) throws -> [Figure] {
    let records = 1_000_000
    let vault = try HeldVault(1, records: records, at: folder + "/log")
    let connection = try vault.connect()
    let before = try vault.memory(peak: true)
    let times = try (0..<21).map { _ in
        try nanoseconds { try vault.run(["log", "--last", "5"], lines: 5...5) } / 1e6
    }
    let all = try nanoseconds {
        let answer = try connection.ask("{\"do\":\"log\"}")
        guard answer.fields["last"] as? Int ?? 0 > records else { throw CannotMeasure() }
    }
    return [
        Figure(name: "log.last5.million.ms", value: median(times), unit: "ms", runs: times.count),
        Figure(name: "log.all.million.s", value: all / 1e9, unit: "s", runs: 1),
        Figure(
            name: "log.all.million.peak_mib", value: try vault.memory(peak: true) - before, unit: "MiB", runs: 1),
    ]
}

extension HeldVault {
    /// Fills the log of a vault: every record is of another program, since what one repeats is counted in one.
    static func fillLog(of path: String, _ count: Int) throws {
        let vault = try Vault.open(at: path)
        defer { vault.close() }
        try vault.setAudit(limit: 1 << 30, for: Caller("bench", groups: [group]))
        try vault.enter(passcode: SecureBytes(passcode))
        let item = ItemReference.key(description(0).primaryKey)
        for number in 0..<count {
            let caller = Caller("uid 0 pid \(number) /usr/bin/bench-\(number)", groups: [group], interaction: .fail)
            guard try vault.read(item, for: caller, in: nil).isGranted else { throw CannotMeasure() }
        }
    }

    /// Runs the command on the vault; it has to print so many lines.
    func run(_ arguments: [String], lines: ClosedRange<Int>) throws {
        let command = Process()
        let output = Pipe()
        command.executableURL = URL(filePath: ".build/release/latchkey")
        command.arguments = arguments + ["--vault", path]
        command.environment = ["HOME": path, "XDG_RUNTIME_DIR": runtime, "PATH": "/usr/bin:/bin"]
        command.standardOutput = output
        try command.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        command.waitUntilExit()
        guard command.terminationStatus == 0, lines.contains(text.count { $0 == UInt8(ascii: "\n") }) else {
            throw CannotMeasure()
        }
    }
}
