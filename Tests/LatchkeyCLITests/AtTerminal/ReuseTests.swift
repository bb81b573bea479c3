import Foundation
import TestSupport
import Testing

/// An authentication counts for a while in the terminal session where it was given, and nowhere else.
@Suite(.waitsForProcesses) struct ReuseTests {
    /// Runs a script in one session on a terminal of its own, where `latchkey` is the command. Types the passcode at
    /// every prompt, and returns how often there was one.
    static func session(
        _ script: String, _ vault: VaultAtTerminal, _ location: SourceLocation = #_sourceLocation
    ) throws -> (prompts: Int, shown: String) {
        let terminal = try start(script, vault)
        let prompts = try prompts(of: terminal, vault, location)
        return (prompts, terminal.shown)
    }

    private static func start(_ script: String, _ vault: VaultAtTerminal) throws -> CommandAtTerminal {
        let latchkey = "latchkey() { '\(Command.binary.path)' \"$@\"; }"
        return try CommandAtTerminal(
            ["-c", "\(latchkey); set -e; \(script); echo END"], program: "/bin/sh", environment: vault.environment)
    }

    /// Types the passcode at every prompt until the script is over.
    private static func prompts(
        of terminal: CommandAtTerminal, _ vault: VaultAtTerminal, _ location: SourceLocation
    ) throws -> Int {
        var prompts = 0
        while true {
            if try terminal.wait(forAnyOf: ["Passcode: ", "END\r\n", "latchkey: "], at: location) == "Passcode: " {
                prompts += 1
                terminal.type(vault.passcode + "\n")
            } else {
                #expect(terminal.end() == 0, "\(terminal.shown)", sourceLocation: location)
                return prompts
            }
        }
    }

    static func vault() throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal("--default-policy", "presence")
        #expect(try vault.run("set", "once", input: Data("s3cret".utf8)).status == 0)
        return vault
    }

    /// Once the shell that leads the session has ended, nothing of it counts, even for a program that it left behind.
    @Test func itEndsWithTheLeaderOfTheSession() throws {
        let vault = try Self.vault()
        let place = vault.place.path("left")
        let first = try Self.start(
            "trap '' HUP; latchkey get once | cat; (while test -d /proc/$$; do sleep 0.1; done; "
                + "'\(Command.binary.path)' get once >'\(place)' 2>&1 || echo \"status $?\" >>'\(place)') & true", vault
        )
        #expect(try Self.prompts(of: first, vault, #_sourceLocation) == 1)
        first.hangUp()
        let deadline = Patience.end
        var said = ""
        while !said.contains("status") && Date() < deadline {
            usleep(20_000)
            said = (try? String(contentsOfFile: place, encoding: .utf8)) ?? ""
        }
        #expect(said.contains("status 8"), "\(said)")
    }
}
