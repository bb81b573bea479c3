import Foundation
import TestSupport
import Testing

/// What other programs see of a vault at a path that is not UTF-8. What the command does with such words is in
/// Fixtures/transcripts/bytes-that-are-not-utf-8.txt.
@Suite(.waitsForProcesses) struct RawBytesTests {
    /// The bytes FF FE, as a shell expression.
    private static let bytes = "$(printf '\\377\\376')"

    /// The agent has the environment of the command that started it. Only root can look into an agent.
    @Test(.needsRoot) func theAgentHasThemAsTheyAre() throws {
        let run = try UnlockedVault().sh(
            """
            latchkey agent stop >/dev/null; b=\(Self.bytes); HOME="$HOME/x$b" latchkey status >/dev/null
            agent=$(latchkey status --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["process"])')
            tr '\\0' '\\n' </proc/$agent/environ | grep -a ^HOME= | od -An -tx1 | tr -d '\\n '
            """)
        #expect(run.output.hasSuffix("2f78fffe0a"), "\(run)")
    }

    @Test func aClientOfTheProtocolFindsTheVault() throws {
        let vault = try VaultAtTerminal(none: ())
        func at(_ line: String, asked dialogue: [(question: String, answer: String)] = []) throws -> String {
            let setUp = "cd; LATCHKEY_HOME=\"$HOME/v\(Self.bytes)\"; latchkey() { '\(Command.binary.path)' \"$@\"; }"
            let terminal = try CommandAtTerminal(
                ["-c", "\(setUp); \(line)"], program: "/bin/sh", environment: vault.environment)
            try terminal.answer(dialogue)
            #expect(terminal.end() == 0, "\(terminal.shown)")
            return terminal.shown
        }
        _ = try at(
            "latchkey init --own-passcode --default-policy open; printf secret | latchkey set a",
            asked: [("New passcode: ", "a b c\n"), ("again: ", "a b c\n")])
        // Foundation cannot remove names that are not UTF-8.
        defer { _ = try? at("latchkey agent stop; rm -r \"$LATCHKEY_HOME\"") }
        let client = Repository.root.appending(path: "Tests/Support/AgentClient/latchkey_agent.py").path
        #expect(try at("/usr/bin/python3 '\(client)' get a") == "secret")
    }
}
