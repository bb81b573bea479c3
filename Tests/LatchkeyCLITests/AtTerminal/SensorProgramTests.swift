import Foundation
import TestSupport
import Testing

/// A sensor that is a program of the user.
@Suite(.waitsForProcesses) struct SensorProgramTests {
    /// The sample of docs/sensors.md: a folder in which a file stands for the finger on the sensor.
    @Test func theSampleOfTheDocsIsASensor() throws {
        let files = try TemporaryFolder()
        let (sensor, shown) = (files.path("sensor"), files.path("folder/shown"))
        let sample = Repository.root.appending(path: "Fixtures/sensors/sample-sensor")
        try TestProgram.copy(sample.path, to: files.path("sample-sensor"))
        try FileManager.default.createDirectory(
            atPath: files.path("folder/enrolled"), withIntermediateDirectories: true)
        // The agent passes none of its environment on.
        let script = "#!/bin/sh\nSAMPLE_SENSOR_FOLDER='\(files.path("folder"))' exec '\(files.path("sample-sensor"))'\n"
        try TestProgram.write(script, to: sensor)
        func show(_ finger: String) throws { try Data(finger.utf8).write(to: URL(filePath: shown)) }

        let vault = try VaultAtTerminal("--sensor", sensor)
        let typing = vault.typingPasscode
        #expect(try vault.run("status").output.contains("sensor    touchID, nothing enrolled\n"))
        try show("right")
        #expect(try vault.at("biometry", "enroll", "right", asked: typing).status == 0)
        try vault.run("set", "usual", input: Data("u".utf8))
        try vault.run("set", "bound", "--preset", "current-set", input: Data("b".utf8))
        let matched = try vault.at("get", "bound", asked: [("Touch the sensor with right.", "")])
        #expect(matched.status == 0 && matched.shown.hasSuffix("\nb\n"), "\(matched)")
        try show("left")
        let failed = try vault.at("get", "bound")
        #expect(failed.status == 7, "\(failed)")
        try FileManager.default.removeItem(atPath: shown)
        for (key, status) in [("\n", Int32(0)), ("\u{1B}", 6), ("\u{4}", 6), ("\u{3}", -SIGINT), ("\u{1C}", -SIGQUIT)] {
            let waiting = try vault.start(["get", "usual"])
            let before = waiting.settingsAtFirst
            try waiting.wait(for: "Touch the sensor with right.")
            try waiting.wait(until: { $0 != before })
            waiting.type(key)
            if status == 0 { try waiting.answer(typing) }
            #expect(waiting.end() == status, "\(key.debugDescription): \(waiting.shown)")
            #expect(waiting.settings == before)
            #expect(waiting.shown.hasSuffix("\nu\n") == (status == 0))
        }
        // A finger is enrolled without the command.
        try Data("other".utf8).write(to: URL(filePath: files.path("folder/enrolled/ab12")))
        #expect(try vault.at("get", "bound").status == 3)
        try FileManager.default.removeItem(atPath: sensor)
        // A report does not wait for the sensor for long.
        #expect(try Patience.wait(everyMilliseconds: 100) { try vault.run("status").output.contains(sensor) })
        #expect(try vault.at("get", "usual", asked: typing).status == 0)
    }
}
