import Foundation
import TestSupport
import Testing

/// A vault, its socket and its backups lie at paths that are not UTF-8.
@Suite(.waitsForProcesses) final class RawPathTests {
    private let vault: VaultAtTerminal
    /// An accent, which joins with a character before it, and the bytes FF FE, as a shell expression.
    private static let bytes = "$(printf '\\314\\201\\377\\376')"
    /// These bytes as messages show them.
    private static let shown = "\u{301}\\xFF\\xFE"

    init() throws { vault = try VaultAtTerminal(none: ()) }

    deinit {
        // Foundation cannot remove names that are not UTF-8.
        _ = try? Command.run(["-rf", vault.place.url.path], program: URL(filePath: "/bin/rm"))
    }

    /// Runs a line of a shell at a terminal.
    private func at(
        _ line: String, asked dialogue: [(question: String, answer: String)] = []
    ) throws -> (status: Int32, shown: String) {
        let terminal = try CommandAtTerminal(
            ["-c", "cd; b=\(Self.bytes); latchkey() { '\(Command.binary.path)' \"$@\"; }; \(line)"], program: "/bin/sh",
            environment: vault.environment)
        try terminal.answer(dialogue)
        return (terminal.end(), terminal.shown)
    }

    private let creating = [(question: "New passcode: ", answer: "a b c\n"), ("again: ", "a b c\n")]
    private let opening = [(question: "Passcode: ", answer: "a b c\n")]
    private static let make = "latchkey init --own-passcode --default-policy open"

    @Test func everythingWorksThere() throws {
        let places = "export LATCHKEY_HOME=\"$HOME/new$b/$b\" XDG_RUNTIME_DIR=\"$HOME/r$b\""
        let made = try at("\(places); mkdir -m 700 \"r$b\"; \(Self.make)", asked: creating)
        let shown = vault.place.path("home/new") + "\(Self.shown)/\(Self.shown)"
        #expect(made.status == 0 && made.shown.contains("Created a vault in \(shown). To save"), "\(made)")
        defer { _ = try? at("\(places); latchkey agent stop") }
        let first = try at("\(places); printf secret | latchkey set a; latchkey get a; latchkey status")
        #expect(first.status == 0 && first.shown.contains("secret\n") && first.shown.contains(shown), "\(first)")
        let read = try at("\(places); latchkey lock; latchkey get a; latchkey verify", asked: opening)
        #expect(read.status == 0 && read.shown.contains("\nsecret\n1 secret"), "\(read)")

        let sealing = [(question: "New passphrase: ", answer: "pass phrase\n"), ("again: ", "pass phrase\n")]
        let backup = try at("\(places); cd \"new$b\"; latchkey backup kept", asked: opening + sealing)
        #expect(backup.status == 0 && backup.shown.contains("Wrote 1 secret to kept."), "\(backup)")
        let restored = try at(
            "\(places); latchkey rm --force a; cd \"new$b\"; latchkey restore kept; latchkey get a",
            asked: opening + [("Passphrase: ", "pass phrase\n")])
        #expect(restored.status == 0 && restored.shown.hasSuffix("secret\n"), "\(restored)")

        // The vault, its agent and its socket are where the bytes say, and nowhere else.
        let files = try at(
            "\(places); ls \"$LATCHKEY_HOME/vault.db\" \"$XDG_RUNTIME_DIR\"/latchkey/*.socket | wc -l; ls -A | wc -l")
        #expect(files.shown == "3\n2\n", "the vault, and the sockets for commands and for SSH clients: \(files)")
        let lock = try at("\(places); sed -n 2p \"$LATCHKEY_HOME/agent.lock\" | od -An -tx1 | tr -d ' \\n'")
        #expect(lock.shown.contains("2f72cc81fffe2f6c617463686b6579"), "\(lock)")
        let client = Repository.root.appending(path: "Tests/Support/AgentClient/latchkey_agent.py").path
        let other = try at("\(places); /usr/bin/python3 '\(client)' get a")
        #expect(other.status == 0 && other.shown == "secret", "\(other)")
        let stopped = try at("\(places); latchkey agent stop; latchkey agent stop")
        #expect(stopped.shown == "Stopped the agent.\nNo agent is running.\n", "\(stopped)")
    }

    /// The ways to name the same vault.
    @Test func everyWayToNameItLeadsThere() throws {
        let made = try at("\(Self.make) --vault \"h$b/.local/share/latchkey\"", asked: creating)
        #expect(made.status == 0, "\(made)")
        let folder = "$HOME/h$b/.local/share"
        defer { _ = try? at("latchkey agent stop --vault \"\(folder)/latchkey\"") }
        #expect(try at("printf secret | latchkey set a --vault \"\(folder)/latchkey\"").status == 0)
        let lines = [
            "latchkey get a --vault=\"h$b/.local/share/latchkey/\"",
            "cd \"h$b\"; latchkey get a --vault .local/share/latchkey",
            "ln -s \"\(folder)/latchkey\" link; latchkey get a --vault link",
            "LATCHKEY_HOME=\"\(folder)/latchkey\" latchkey get a",
            "LATCHKEY_HOME= XDG_DATA_HOME=\"\(folder)\" latchkey get a",
            "LATCHKEY_HOME= HOME=\"$HOME/h$b\" latchkey get a",
        ]
        for line in lines {
            let run = try at(line)
            #expect(run.status == 0 && run.shown == "secret\n", "\(line): \(run)")
        }
        // A byte less is another folder.
        let other = try at("latchkey get a --vault \"${HOME}/h$(printf '\\377')/.local/share/latchkey\"")
        #expect(other.status == 12 && other.shown.contains("h\\xFF/.local"), "\(other)")
    }
}
