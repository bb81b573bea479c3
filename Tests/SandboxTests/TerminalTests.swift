import Foundation
import Sandbox
import TestSupport
import Testing

/// A sandbox that is started at a terminal.
@Suite(.needsUserNamespaces) struct TerminalTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    private func start(
        _ script: String, by shell: String = "sh", input: SessionLeader.Stream = .terminal
    ) throws -> CommandAtTerminal {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "sandbox-exerciser").path
        return try CommandAtTerminal(
            [work.url.path, shell, "-c", script], program: program, environment: [:], rows: 31, columns: 77,
            input: input)
    }

    @Test func itHasATerminalOfItsOwnThatShowsInTheOwners() throws {
        let terminal = try start("stty size; read -r line; echo \"got $line\"; ps -o tpgid= -p $$ >group; exit 4")
        try terminal.wait(for: "31 77")
        terminal.type("a word\r")
        try terminal.wait(for: "got a word")
        #expect(terminal.end() == 4)
        #expect(terminal.settings == terminal.settingsAtFirst)
        // A process without a terminal in control has no job in the foreground.
        let group = try #require(ClosedOnExec.text(of: work.path("group")))
        #expect(Int(group.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1 > 0)
    }

    @Test func keysOfTheTerminalReachTheCommandAlone() throws {
        let terminal = try start("trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.1; done")
        try terminal.wait(for: "ready")
        terminal.type("\u{3}")
        try terminal.wait(for: "caught")
        #expect(terminal.end() == 5)
    }

    @Test func allOutputIsShownBeforeTheEnd() throws {
        let terminal = try start("seq 1 20000; echo last")
        try terminal.wait(for: "\n20000\n".replacing("\n", with: "\r\n"))
        try terminal.wait(for: "last")
        #expect(terminal.end() == 0)
    }

    @Test func linesOfOutputEndOnce() throws {
        let terminal = try start("echo one; echo two", input: .nowhere)
        try terminal.wait(for: "one\r\ntwo\r\n")
        #expect(terminal.end() == 0)
    }

    @Test(arguments: [true, false]) func whatItTypesIsNotTypedToTheOwner(isAtTerminal: Bool) throws {
        let typing = """
            import fcntl, os, termios
            print("at", os.minor(os.fstat(2).st_rdev))
            for byte in b"evil\\n":
                try: fcntl.ioctl(2, termios.TIOCSTI, bytes([byte]))
                except OSError as error: print("refused", error.errno)
            print("over")
            """
        let terminal = try start(typing, by: "python3", input: isAtTerminal ? .terminal : .nowhere)
        try terminal.wait(for: "over")
        let number = try #require(terminal.path.split(separator: "/").last)
        #expect(terminal.shown.contains("at ") && !terminal.shown.contains("at \(number)\n"))
        if !isAtTerminal { #expect(terminal.shown.contains("refused \(EPERM)")) }
        #expect(terminal.end() == 0)
        // The next reader of the owner's terminal gets what the owner types.
        terminal.type("mine\n")
        #expect(try terminal.nextLine() == "mine\n")
    }
}
