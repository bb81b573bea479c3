import Foundation
import Measuring
import PolicyScenarios

// Prints the figures of scenarios, or only the named groups.

try measure(
    Array(CommandLine.arguments.dropFirst()), of: [("steps", steps), ("suite", suite), ("growth", growth)])

/// Returns a scenario with steps of every kind: reads with and without prompts, in contexts and without, and locks and
/// unlocks.
private func scenario(steps count: Int) -> String {
    let steps = [
        "read: plain", "{ read: token, expect: { granted: biometry, prompts: [biometry] } }",
        "{ read: token, context: one, expect: granted }",
        "{ exists: spare, interaction: fail, expect: errSecInteractionNotAllowed }",
        "{ read: spare, by: absent, expect: sheet.cancelled }", "lock", "{ read: token, expect: device.locked }",
        "unlock: { finger: right index }", "{ update: plain, secret: another }", "wait: 1s",
    ]
    let lines = (0..<count).map { "  - \(steps[$0 % steps.count])\n" }.joined()
    return """
        name: steps of every kind
        items:
          plain: { accessible: whenUnlocked }
          token: { require: biometryCurrentSet }
          spare: { require: userPresence }
        steps:
        \(lines)
        """
}

private func play(_ count: Int, in folder: String) throws -> Double {
    let path = folder + "/steps-\(count).yaml"
    try scenario(steps: count).write(toFile: path, atomically: true, encoding: .utf8)
    return try nanoseconds {
        let played = try Scenarios.play(path, threads: 1)
        precondition(played.steps == count && played.failures.isEmpty, "\(played.failures)")
    }
}

/// Measures steps on one core, including reading and setup.
private func steps(_ folder: String) throws -> [Figure] {
    let count = 10_000
    let times = try (0..<11).map { _ in try play(count, in: folder) }
    return [Figure(name: "scenario.steps_per_s", value: Double(count) / median(times) * 1e9, unit: "/s", runs: 11)]
}

/// Measures every scenario of the fixtures, run by the command in its own process on all cores.
private func suite(_ folder: String) throws -> [Figure] {
    let times = try (0..<11).map { _ in
        let process = Process()
        process.executableURL = URL(filePath: ".build/install/latchkey")
        process.arguments = ["test", "Fixtures/scenarios"]
        process.standardOutput = FileHandle.nullDevice
        return try nanoseconds {
            try process.run()
            process.waitUntilExit()
            precondition(process.terminationStatus == 0, "the fixtures do not pass")
        }
    }
    return [Figure(name: "scenario.suite.ms", value: median(times) / 1e6, unit: "ms", runs: 11)]
}

/// Compares the time per step in scenarios of ten and of a hundred thousand steps, without the setup. The two should be
/// equal.
private func growth(_ folder: String) throws -> [Figure] {
    let empty = median(try (0..<11).map { _ in try play(1, in: folder) })
    var figures: [Figure] = []
    for (count, runs) in [(10, 31), (100, 31), (1000, 11), (10_000, 5), (100_000, 3)] {
        let times = try (0..<runs).map { _ in try play(count, in: folder) }
        let each = (median(times) - empty) / Double(count - 1)
        figures.append(Figure(name: "scenario.step_among_\(count).us", value: each / 1e3, unit: "us", runs: runs))
    }
    return figures
}
