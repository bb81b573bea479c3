import Foundation
import TestSupport
import Testing

/// A vault behind a fingerprint, on libfprint's virtual reader. The command and its agent are those that are built: they
/// find fprintd on the system bus, for which the private one stands in a mount of their own.
@Suite(
    .waitsForProcesses, .needsMounting, .enabled(if: VirtualReader.isPossible, "skipped: \(VirtualReader.packages)"))
struct FingerprintTests {
    /// Returns the words before a command that show it the bus of `reader` as the bus of the system.
    private static func words(on reader: VirtualReader) -> [String] {
        [
            "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
            "mount -t tmpfs tmpfs /run && mkdir /run/dbus && mount --bind \"$0\" /run/dbus && exec \"$@\"",
            reader.busFolder,
        ]
    }

    private func vault(on reader: VirtualReader, _ arguments: String...) throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal(prefix: Self.words(on: reader))
        for name in arguments { try vault.run("set", name, input: Data("value of \(name)".utf8)) }
        return vault
    }

    /// Runs `latchkey biometry setup`, and touches the reader as often as it asks.
    private func setUp(_ vault: VaultAtTerminal, on reader: VirtualReader) throws -> (status: Int32, shown: String) {
        let terminal = try vault.start(["biometry", "setup"])
        for touch in 1...5 {
            try terminal.wait(for: "(\(touch) of 5)")
            reader.show("right-index-1")
        }
        try terminal.answer(vault.typingPasscode)
        return (terminal.end(), terminal.shown)
    }

    /// Runs a command that asks for a finger, and shows this one.
    private func touching(
        _ finger: String, on reader: VirtualReader, _ vault: VaultAtTerminal, _ arguments: String...
    ) throws -> (status: Int32, shown: String) {
        let terminal = try vault.start(arguments)
        try terminal.wait(for: "Touch the sensor with right index.")
        return reader.show(finger) { (terminal.end(), terminal.shown) }
    }

    @Test func twoCommandsPutASecretBehindAFinger() throws {
        let reader = try VirtualReader()
        let vault = try vault(on: reader, "work/token")
        let before = try vault.run("status")
        #expect(before.output.contains("sensor    none\n"))
        let setup = try setUp(vault, on: reader)
        #expect(setup.status == 0)
        for text in [
            "Found the reader: Virtual device for debugging.\n", "Enrolled right index.\n",
            "From now on a finger opens work/token, as the policy of each allows.\n",
            "Added the reader to the vault.", "took the place of yours", "--preset current-set",
        ] {
            #expect(setup.shown.contains(text), "\(setup.shown)")
        }
        #expect(try vault.run("status").output.contains("sensor    touchID, enrolled: right index\n"))
        #expect(try vault.run("config").output.contains("sensor          fprintd\n"))

        // One touch after the other: fprintd may still be ending the claim before.
        for _ in 0..<3 {
            let read = try touching("right-index-1", on: reader, vault, "get", "work/token")
            #expect(read.status == 0 && read.shown.hasSuffix("\nvalue of work/token\n"), "\(read)")
        }
        let test = try touching("right-index-1", on: reader, vault, "biometry", "test")
        #expect(test.status == 0 && test.shown.hasSuffix("The sensor recognized you.\n"), "\(test)")
        #expect(try vault.run("show", "work/token").output.contains("took the place of yours"))

        // One touch unlocks the vault and opens the secret.
        #expect(try vault.run("lock").status == 0)
        let opened = try touching("right-index-1", on: reader, vault, "get", "work/token")
        #expect(opened.status == 0 && opened.shown.hasSuffix("\nvalue of work/token\n"), "\(opened)")
        #expect(opened.shown.ranges(of: "Touch the sensor").count == 1)

        // The passcode is the fallback: after Enter, and after three misses.
        let fallback = try vault.start(["get", "work/token"])
        let settings = fallback.settingsAtFirst
        try fallback.wait(for: "Touch the sensor with right index.")
        try fallback.wait(until: { $0 != settings })
        fallback.type("\n")
        try fallback.answer(vault.typingPasscode)
        #expect(fallback.end() == 0 && fallback.shown.hasSuffix("\nvalue of work/token\n"), "\(fallback.shown)")
        #expect(try vault.run("lock").status == 0)
        let missed = try vault.start(["get", "work/token"])
        try reader.show("left-thumb-1") { try missed.wait(for: "Passcode: ") }
        missed.type(vault.passcode + "\n")
        #expect(missed.shown.ranges(of: "Touch the sensor").count == 3)
        #expect(missed.end() == 0 && missed.shown.hasSuffix("\nvalue of work/token\n"), "\(missed.shown)")

        // After a restart of the agent, the vault has its reader, and the first unlock takes the passcode.
        #expect(try vault.run("agent", "stop").status == 0)
        let restarted = try vault.at("get", "work/token", asked: vault.typingPasscode)
        #expect(restarted.status == 0, "\(restarted)")
        let again = try vault.at("biometry", "setup")
        #expect(again.status == 0 && again.shown.contains("The vault uses the reader already."), "\(again)")
    }

    @Test func aVaultIsCreatedWithTheReaderToo() throws {
        let reader = try VirtualReader()
        let vault = try VaultAtTerminal("--sensor", "fprintd", prefix: Self.words(on: reader))
        #expect(try vault.run("status").output.contains("sensor    touchID, nothing enrolled\n"))
        let nose = try vault.at("biometry", "enroll", "nose")
        #expect(nose.status == 2 && nose.shown.contains("fixed names for fingers: use one of"), "\(nose)")
        let enrolling = try vault.start(["biometry", "enroll", "right index"])
        try enrolling.answer(vault.typingPasscode)
        for touch in 1...5 {
            try enrolling.wait(for: "(\(touch) of 5).")
            reader.show("right-index-1")
        }
        #expect(enrolling.end() == 0, "\(enrolling.shown)")
        try vault.run("set", "bound", "--preset", "biometry", input: Data("b".utf8))
        let read = try touching("right-index-1", on: reader, vault, "get", "bound")
        #expect(read.status == 0 && read.shown.hasSuffix("\nb\n"), "\(read)")
        let removed = try vault.at("biometry", "remove", "right index", asked: vault.typingPasscode)
        #expect(removed.status == 0, "\(removed)")
        let none = try vault.at("get", "bound")
        #expect(none.status == 3 && none.shown.contains("latchkey biometry enroll NAME"), "\(none)")
    }

    /// Over a network nobody can touch the reader, so the passcode is asked for at once.
    @Test func aRemoteLoginIsAskedForThePasscode() throws {
        let reader = try VirtualReader()
        let vault = try vault(on: reader, "work/token")
        #expect(try setUp(vault, on: reader).status == 0)
        let server = vault.place.path("sshd")
        try TestProgram.write("#!/bin/sh\n\"$@\"\n", to: server)
        try vault.run("lock")
        for _ in 0..<2 {
            let remote = try vault.start(["get", "work/token"], under: server)
            #expect(try remote.wait(forAnyOf: ["Passcode: ", "Touch"]) == "Passcode: ")
            remote.type(vault.passcode + "\n")
            #expect(remote.end() == 0 && remote.shown.hasSuffix("\nvalue of work/token\n"), "\(remote.shown)")
        }
        let test = try vault.start(["biometry", "test"], under: server)
        #expect(test.end() == 3)
        #expect(test.shown.contains("you are logged in over a network"), "\(test.shown)")
        let here = try touching("right-index-1", on: reader, vault, "get", "work/token")
        #expect(here.status == 0, "\(here)")
    }

    @Test func aReaderThatIsGoneOrHangsLeavesThePasscode() throws {
        let reader = try VirtualReader()
        let vault = try vault(on: reader, "work/token")
        #expect(try setUp(vault, on: reader).status == 0)
        reader.end()
        // A report does not wait for the sensor for long.
        let isKnown = try Patience.wait(everyMilliseconds: 100) {
            try vault.run("status").output.contains("the sensor cannot be reached (fprintd does not run")
        }
        #expect(isKnown)
        let read = try vault.at("get", "work/token", asked: vault.typingPasscode)
        #expect(read.status == 0, "\(read)")
        let test = try vault.at("biometry", "test")
        #expect(test.status == 3 && test.shown.contains("fprintd does not run: install the package fprintd"), "\(test)")
        try reader.start()
        let back = try touching("right-index-1", on: reader, vault, "get", "work/token")
        #expect(back.status == 0, "\(back)")

        // A report does not wait for a service that hangs.
        reader.pause(true)
        let hanging = try vault.run("status")
        #expect(hanging.status == 0 && hanging.output.contains("the sensor has not answered yet"), "\(hanging)")
        let typed = try vault.at("get", "work/token", asked: vault.typingPasscode)
        #expect(typed.status == 0, "\(typed)")
        reader.pause(false)
    }

    @Test func setupSaysWhatIsMissing() throws {
        let reader = try VirtualReader(isPluggedIn: false)
        let vault = try vault(on: reader)
        let none = try vault.at("biometry", "setup")
        #expect(none.status == 10 && none.shown.contains("fprintd finds no fingerprint reader"), "\(none)")
        #expect(try vault.run("biometry", "setup").status == 8)
        let added = try vault.at("config", "--sensor", "fprintd")
        #expect(added.status == 10 && added.shown.contains("fprintd finds no fingerprint reader"), "\(added)")
        let command = try vault.at("config", "--sensor", "/bin/true")
        #expect(command.status == 2 && command.shown.contains("latchkey biometry setup"), "\(command)")
        let sensorless = try vault.at("biometry", "test")
        #expect(sensorless.status == 3 && sensorless.shown.contains("run `latchkey biometry setup`"), "\(sensorless)")
        #expect(try vault.run("status").output.contains("sensor    none\n"))

        let denying = try VirtualReader(isPermitted: false)
        let denied = try self.vault(on: denying).at("biometry", "setup")
        #expect(denied.status == 10 && denied.shown.contains("polkit permits the reader only"), "\(denied)")
    }
}
