import Foundation
import TestSupport
import Testing

/// The commands of a new user, from the first to the last.
@Suite(.waitsForProcesses) struct NewcomerTests {
    private struct Listed: Decodable { let name: String }

    @Test func fromTheFirstCommandToTheLast() throws {
        let vault = try VaultAtTerminal()
        let typing = vault.typingPasscode
        #expect(try vault.at("status").shown.contains("state     unlocked\n"))
        let kept = try vault.at("set", "work/token", asked: [("Secret: ", "s3cret\n"), ("again: ", "s3cret\n")])
        #expect(kept.status == 0 && kept.shown.hasSuffix("\nSaved work/token; asks each time.\n"))
        #expect(!kept.shown.contains("s3cret"))
        #expect(try vault.at("list").shown == "work/token  asks each time  every-time\n")
        #expect(try vault.at("show", "work/token").shown.contains("now        readable with the passcode\n"))
        let shown = try vault.at("get", "work/token", asked: typing)
        #expect(shown.status == 0 && shown.shown.hasSuffix("\ns3cret\n"))
        let other = [(question: "Secret: ", answer: "n3w\n"), ("again: ", "n3w\n")]
        let edited = try vault.at("edit", "work/token", asked: other + typing)
        #expect(edited.status == 0 && edited.shown.hasSuffix("\nSaved work/token; asks each time.\n"))
        #expect(try vault.at("edit", "work/token", "--comment", "of the build", asked: typing).status == 0)
        let moved = try vault.at("mv", "work/token", "work/build", asked: typing)
        #expect(moved.status == 0 && moved.shown.hasSuffix("\nRenamed work/token to work/build.\n"))
        #expect(try vault.at("set", "gone", asked: [("Secret: ", "x\n"), ("again: ", "x\n")]).status == 0)
        let spared = try vault.at("rm", "gone", asked: [("Delete gone? [y/N] ", "\n")])
        #expect(
            spared.status == 6
                && spared.shown.hasSuffix("nothing was deleted\n"))
        #expect(
            try vault.at("rm", "gone", asked: [("Delete gone? [y/N] ", "y\n")])
                == (
                    0,
                    "Delete gone? [y/N] y\nDeleted gone. To take this back, run `latchkey undo gone`.\n"
                ))
        #expect(
            try vault.at("get", "gone").shown.contains("gone was deleted: to bring it back, run `latchkey undo gone`"))
        #expect(try vault.at("undo", "gone") == (0, "gone is back.\n"))
        #expect(
            try vault.at("rm", "--now", "gone", asked: [("Delete gone for good? [y/N] ", "y\n")])
                == (0, "Delete gone for good? [y/N] y\nDeleted gone.\n"))
        #expect(try vault.at("undo", "gone").status == 4)
        #expect(try vault.at("list", "--tree").shown == "work/\n└── build\n")

        #expect(try vault.at("lock") == (0, "Locked the vault.\n"))
        // The passcode that unlocks the vault for a command counts for that command as well.
        let unlocked = try vault.at("get", "work/build", asked: typing)
        #expect(unlocked.status == 0)
        #expect(unlocked.shown.ranges(of: "Passcode: ").count == 1 && unlocked.shown.hasSuffix("\nn3w\n"))

        let log = try vault.at("log", "--last", "4").shown
        let read = try Regex("granted     readData work/build +way\\.proved +uid \(getuid()) pid ")
        #expect(log.contains(read), "\(log)")
        #expect(
            try vault.at("verify") == (
                0, "1 secret (decrypted 0; reading the others needs authentication): no damage found\n"
            )
        )

        let backup = vault.place.path("backup")
        #expect(
            try vault.run(
                "set", "travels", "--accessible", "whenUnlocked", "--require", "nothing", input: Data("b".utf8)
            ).status == 0)
        let sealing = [(question: "New passphrase: ", answer: "pass phrase\n"), ("again: ", "pass phrase\n")]
        let made = try vault.at("backup", backup, asked: typing + sealing)
        #expect(made.shown.contains("Wrote 2 secrets to \(backup).\n"), "\(made)")
        #expect(try vault.run("backup", backup).status == 8)
        #expect(try vault.at("backup", backup).status == 9, "before anybody has typed anything")

        let second = try VaultAtTerminal(passcode: "another")
        let opening = [(question: "Passphrase: ", answer: "pass phrase\n")]
        let missing = try second.at("restore", second.place.path("none"))
        #expect(missing.status == 12 && missing.shown.hasSuffix("none: No such file or directory\n"))
        let restored = try second.at("restore", backup, asked: second.typingPasscode + opening)
        #expect(restored.shown.contains(/Restored \d+ secrets?; 0 existed already\.\n/), "\(restored)")
        #expect(try second.run("get", "travels").output == "b")

        let passwords = [(question: "New passcode: ", answer: "battery\n"), ("again: ", "battery\n")]
        #expect(try vault.at("passwd", asked: typing + passwords).shown.hasSuffix("\nChanged the passcode.\n"))
        #expect(try vault.at("lock").status == 0)
        let open = try vault.at("unlock", asked: [("Passcode: ", "battery\n")])
        #expect(open.status == 0 && open.shown.hasSuffix("\nUnlocked the vault.\n"))
        let third = [(question: "New passcode: ", answer: "staple\n"), ("again: ", "staple\n")]
        let recovered = try vault.at("recover", asked: [("Recovery key: ", vault.recoveryKey + "\n")] + third)
        #expect(recovered.status == 0 && !recovered.shown.contains(vault.recoveryKey))
        #expect(recovered.shown.hasSuffix("\nSet a new passcode. The recovery key stays valid: keep it.\n"))
        #expect(
            try vault.at("get", "work/build", asked: [("Passcode: ", "staple\n")]).shown.hasSuffix("\nn3w\n"))
        #expect(try vault.at("agent", "stop") == (0, "Stopped the agent.\n"))
        #expect(try vault.at("agent", "stop") == (0, "No agent is running.\n"))
        #expect(try vault.at("status").shown.contains("locked, and not unlocked since the agent started"))
    }

    @Test func wrongPasscodesAreCountedAndDelayed() throws {
        let vault = try VaultAtTerminal()
        try vault.run("set", "a", input: Data("x".utf8))
        let failed = try vault.at("get", "a", asked: (1...3).map { ("Passcode: ", "wrong \($0)\n") })
        #expect(failed.status == 7)
        #expect(
            failed.shown.hasSuffix(
                "\nlatchkey: authentication failed, and nothing was done: try again. If you forgot the passcode, run "
                    + "`latchkey recover` with the recovery key\n"
            ))
        #expect(try vault.run("status").output.contains("attempts  3 different wrong passcodes\n"))
        let delayed = try vault.at("get", "a", asked: (4...5).map { ("Passcode: ", "wrong \($0)\n") })
        #expect(delayed.status == 7)
        let wait =
            #/latchkey: no passcode is accepted for another (1 minute|\d+ seconds), because too many were wrong: wait, /#
        #expect(delayed.shown.firstMatch(of: wait) != nil, "\(delayed)")
        #expect(delayed.shown.contains("3 attempts before failed. This is attempt 4 of 5.\n"), "\(delayed)")
        #expect(delayed.shown.contains("Wrong passcode. This is attempt 5 of 5.\n"), "\(delayed)")
        let status = try vault.run("status").output
        let attempts = /attempts  5 different wrong passcodes, none accepted for another (1 minute|\d+ seconds)\n/
        #expect(status.contains(attempts), "\(status)")
        let doctor = try vault.run("doctor")
        #expect(doctor.status == 1 && doctor.output.contains("none is accepted for another "), "\(doctor)")
        // Nobody is asked meanwhile, whatever the command, and whether the vault is locked or not.
        for isLocked in [false, true] {
            if isLocked { try vault.run("lock") }
            for words in [
                ["get", "a"], ["edit", "a", "--comment", "c"], ["unlock"], ["passwd"], ["config", "--reuse", "1h"],
            ] {
                let terminal = try vault.start(words)
                #expect(terminal.end() == 7, "\(words): \(terminal.shown)")
                #expect(!terminal.shown.contains("Passcode: "), "\(words): \(terminal.shown)")
                #expect(terminal.shown.firstMatch(of: wait) != nil, "\(words): \(terminal.shown)")
                #expect(terminal.shown.contains("`latchkey recover`"), "\(words): \(terminal.shown)")
            }
        }
        let recovered = try vault.at(
            "recover",
            asked: [("Recovery key: ", vault.recoveryKey + "\n"), ("New passcode: ", "n3w\n"), ("again: ", "n3w\n")])
        #expect(recovered.status == 0, "\(recovered)")
        #expect(try vault.at("get", "a", asked: [("Passcode: ", "n3w\n")]).status == 0)
    }

    /// The last of three prompts is the fifth wrong passcode.
    @Test func thePasscodeThatBeginsADelaySaysUntilWhen() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run(["set", "a"], input: Data("kept".utf8)).status == 0)
        let wrong = (1...5).map { ("Passcode: ", "wrong \($0)\n") }
        let words =
            #/latchkey: no passcode is accepted for another (1 minute|\d+ seconds), because too many were wrong: wait, /#
        for isLocked in [true, false] {
            if isLocked { try vault.run("lock") }
            let command = isLocked ? ["unlock"] : ["get", "a"]
            #expect(try vault.at("get", "a", asked: Array(wrong[..<2]) + [("Passcode: ", "\u{4}")]).status == 6)
            let terminal = try vault.start(command)
            try terminal.answer(Array(wrong[2...]))
            #expect(terminal.end() == 7 && terminal.shown.firstMatch(of: words) != nil, "\(terminal.shown)")
            let recovered = try vault.at(
                "recover",
                asked: [
                    ("Recovery key: ", vault.recoveryKey + "\n"), ("New passcode: ", vault.passcode + "\n"),
                    ("again: ", vault.passcode + "\n"),
                ])
            #expect(recovered.status == 0, "\(recovered)")
            #expect(try vault.at("unlock", asked: vault.typingPasscode).status == 0)
        }
    }

    /// The passcode comes first, so that you never type a secret that cannot be saved.
    @Test func noSecretIsAskedForThatCannotBeSavedNow() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run(["set", "a"], input: Data("kept".utf8)).status == 0)
        try vault.run("lock")
        let typing = [(question: "Secret: ", answer: "s\n"), (question: "again: ", answer: "s\n")]
        #expect(try vault.at("set", "b", asked: vault.typingPasscode + typing).status == 0)
        let wrong = (1...5).map { (question: "Passcode: ", answer: "wrong \($0)\n") }
        #expect(try vault.at("get", "a", asked: Array(wrong[..<3])).status == 7)
        #expect(try vault.at("get", "a", asked: Array(wrong[3...])).status == 7)
        for isLocked in [false, true] {
            if isLocked { try vault.run("lock") }
            for words in [["set", "a", "--replace"], ["edit", "a"]] + (isLocked ? [["set", "c"]] : []) {
                let terminal = try vault.start(words)
                #expect(terminal.end() == 7 && !terminal.shown.contains("Secret: "), "\(words): \(terminal.shown)")
            }
        }
    }

    @Test func noSecretIsAskedForThatNoFingerCouldOpen() throws {
        let none = try VaultAtTerminal()
        let sensorless = try none.at("set", "a", "--preset", "current-set")
        #expect(sensorless.status == 3 && sensorless.shown.contains("biometry setup"), "\(sensorless)")
        let vault = try VaultAtTerminal("--fake-biometry")
        for policy in [["--preset", "current-set"], ["--require", "biometryAny"]] {
            let terminal = try vault.start(["set", "a"] + policy)
            #expect(terminal.end() == 3 && !terminal.shown.contains("Secret: "), "\(terminal.shown)")
            #expect(terminal.shown.contains("no finger or face is enrolled"), "\(terminal.shown)")
        }
    }

    @Test func aLoginPasswordThatUnlocksNothingIsNoSuccess() throws {
        let vault = try VaultAtTerminal()
        let password = Data(vault.passcode.utf8)
        #expect(try vault.run(["unlock", "--login-password"], input: password).status == 0, "it is unlocked")
        try vault.run("lock")
        let run = try vault.run(["unlock", "--login-password"], input: password)
        #expect(run.status == 2 && run.errors.contains("its passcode is not your login password"), "\(run)")
    }

    @Test func aFakeSensorIsTaughtAndForgets() throws {
        let vault = try VaultAtTerminal("--fake-biometry")
        let typing = vault.typingPasscode
        func touching(_ fingers: String...) -> [(question: String, answer: String)] {
            fingers.map { ("touches it? ", $0 + "\n") }
        }
        #expect(
            try vault.run("status").output.contains(
                "touchID (FAKE: anyone can pass it), nothing enrolled\n"))
        #expect(try vault.run("biometry", "list").output == "No finger or face is enrolled.\n")
        #expect(
            try vault.run("biometry", "test").errors.contains(
                "no finger or face is enrolled: run `latchkey biometry enroll NAME`"))
        #expect(try vault.at("biometry", "enroll", "right index", asked: typing).status == 0)
        #expect(try vault.at("biometry", "enroll", "right index").status == 9)
        #expect(try vault.at("biometry", "enroll", "").status == 2)
        #expect(try vault.at("biometry", "remove", "left").status == 2)
        #expect(try vault.run("biometry", "list", "--json").output == "{\"enrolled\":[\"right index\"]}\n")
        #expect(try vault.at("biometry", "test", asked: touching("right index")).status == 0)
        #expect(
            try vault.at("biometry", "test", "--json", asked: touching("right index")).shown.hasSuffix(
                "\n{\"matched\":true}\n"))

        let when = ["--accessible", "whenPasscodeSetThisDeviceOnly"]
        try vault.run("set", "usual", input: Data("u".utf8))
        try vault.run("set", "bound", "--preset", "current-set", input: Data("b".utf8))
        try vault.run(
            ["set", "either", "--require", "biometryCurrentSet or devicePasscode"] + when, input: Data("e".utf8))
        #expect(
            try vault.run("show", "either").output.contains("readable with a finger or face, or else the passcode\n")
        )
        #expect(try vault.at("get", "usual", asked: touching("right index")).shown.hasSuffix("\nu\n"))
        #expect(
            try vault.at("get", "usual", asked: touching("left thumb", "") + typing).shown.hasSuffix("\nu\n"))
        #expect(try vault.at("get", "bound", asked: touching("right index")).shown.hasSuffix("\nb\n"))

        #expect(try vault.at("biometry", "enroll", "left thumb", asked: [("[y/N] ", "y\n")] + typing).status == 0)
        let outlook = try vault.run("show", "bound").output
        #expect(
            outlook.contains(
                "not readable: bound is invalidated, because a finger or face was added or removed since it was saved"))
        let lost = try vault.at("get", "bound")
        #expect(lost.status == 3)
        #expect(
            lost.shown
                == "latchkey: bound is invalidated, because a finger or face was added or removed since it was saved: "
                + "save it again with `latchkey set bound` and the same --preset or --require (biometry.current-set.changed)\n"
        )
        #expect(try vault.run("set", "bound", "--preset", "current-set", input: Data("b2".utf8)).status == 0)
        #expect(try vault.at("get", "bound", asked: touching("left thumb")).shown.hasSuffix("\nb2\n"))
        #expect(try vault.at("get", "either", asked: typing).shown.hasSuffix("\ne\n"))
        #expect(
            try vault.at("edit", "either", "--require", "biometryCurrentSet or devicePasscode", asked: typing).status
                == 0)
        #expect(try vault.at("get", "either", asked: touching("left thumb")).shown.hasSuffix("\ne\n"))
        #expect(try vault.at("biometry", "remove", "right index", asked: [("[y/N] ", "y\n")] + typing).status == 0)
        #expect(try vault.run("biometry", "list", "--names").output == "left thumb\n")
        #expect(try vault.at("biometry", "reset", asked: [("[y/N] ", "y\n")] + typing).status == 0)
        #expect(try vault.run("biometry", "list", "--names").output == "")
        #expect(try vault.at("get", "usual", asked: typing).shown.hasSuffix("\nu\n"))
    }

    /// The sample of docs/sensors.md: a folder in which a file stands for the finger on the sensor.
    @Test func aSensorOfSomebodyElse() throws {
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
