import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// A sensor's command in a folder that is deleted with the test.
struct SensorScript {
    let folder: TemporaryFolder
    let path: String

    /// Creates a command from a shell script.
    init(_ body: String, mode: Int = 0o755) throws {
        folder = try TemporaryFolder()
        path = folder.path("sensor")
        try TestProgram.write("#!/bin/sh\n" + body + "\n", to: path, mode: mode)
    }

    /// Copies a sensor of `Fixtures/sensors`. The checkout may be writable by a group, which Latchkey would not accept.
    init(fixture: String) throws {
        folder = try TemporaryFolder()
        path = folder.path("sensor")
        let source = Repository.root.appending(path: "Fixtures/sensors/\(fixture)")
        #expect(FileManager.default.isExecutableFile(atPath: source.path))
        try TestProgram.copy(source.path, to: path, mode: 0o755)
    }

    /// Returns a sensor that uses the command and has short timeouts. It keeps the folder.
    func sensor(
        _ kind: SensorKind = .touchID, patience: Duration = .seconds(10), environment: [String: String] = [:],
        relay: (@Sendable (String) -> Void)? = nil
    ) -> ExternalSensor {
        ExternalSensor(
            command: [path], kind: kind, environment: ["HERE": folder.url.path].merging(environment) { $1 },
            patience: .init(list: patience, match: patience, enroll: patience),
            relay: { [folder] saying in withExtendedLifetime(folder) { relay?(saying) } })
    }

    /// Returns the output of the command for a request, which may be one that Latchkey does not send.
    func answer(to request: String, environment: [String: String]) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
        try input.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    /// Returns what the command has written to a file in its folder.
    func written(_ name: String) -> String? {
        try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    }
}

/// Returns a prompt for a finger that stays open.
func fingerPrompt() -> Prompt { Prompt(PromptContent(.biometry)) }

/// Returns the error of `body`; nil, with an issue, if it does not fail.
func failure<Value>(
    _ location: SourceLocation = #_sourceLocation, of body: () throws(SensorError) -> Value
) -> SensorError? {
    do {
        let value = try body()
        Issue.record("it should have failed, and came back with \(value)", sourceLocation: location)
        return nil
    } catch { return error }
}
