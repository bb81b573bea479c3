import Foundation
import TestSupport
import Testing

/// A vault for one test, created and used through the command alone. It goes with its agent when the test ends.
final class VaultAtTerminal {
    let place: TemporaryFolder
    let passcode: String
    /// The words before the command, such as those that run it on another bus.
    private let prefix: [String]
    /// The recovery key, as the command showed it.
    private(set) var recoveryKey = ""

    var folder: String { place.path("vault") }
    var runtime: String { place.path("run") }
    var environment: [String: String] {
        [
            "LATCHKEY_HOME": folder, "XDG_RUNTIME_DIR": runtime, "TZ": "UTC", "XDG_DATA_HOME": "",
            "HOME": place.path("home"), "DISPLAY": "", "WAYLAND_DISPLAY": "", "GPG_TTY": "", "LATCHKEY_PROMPT": "",
            // No bus of the desktop that the tests run on.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus",
        ]
    }

    /// Creates a folder for a vault, but no vault.
    init(passcode: String = "correct horse", prefix: [String] = [], none: Void) throws {
        self.prefix = prefix
        place = try TemporaryFolder(inMemory: true)
        self.passcode = passcode
        for name in ["run", "home"] {
            try FileManager.default.createDirectory(atPath: place.path(name), withIntermediateDirectories: false)
            try PAMStack.restrict(place.path(name), 0o700)
        }
    }

    /// Creates a vault with its own passcode, and with these arguments of `latchkey init`.
    convenience init(
        _ arguments: String..., passcode: String = "correct horse", prefix: [String] = []
    ) throws {
        try self.init(passcode: passcode, prefix: prefix, none: ())
        // Most tests count prompts.
        let isSaid = arguments.contains("--default-policy")
        let policy = isSaid ? [] : ["--default-policy", "every-time"]
        let terminal = try start(["init", "--own-passcode"] + policy + arguments)
        try terminal.answer([("New passcode: ", passcode + "\n"), ("Type it again: ", passcode + "\n")])
        try #require(terminal.end() == 0, "\(terminal.shown)")
        recoveryKey = try #require(
            terminal.shown.firstMatch(of: /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/).map { String($0.0) })
    }

    deinit { _ = try? run("agent", "stop") }

    /// Runs a command without a terminal.
    @discardableResult
    func run(_ arguments: String..., input: Data? = nil) throws -> Command.Run { try run(arguments, input: input) }

    @discardableResult
    func run(_ arguments: [String], input: Data? = nil) throws -> Command.Run {
        // Use a new session, because the tests themselves may have a terminal.
        let file = place.path("input")
        try (input ?? Data()).write(to: URL(filePath: file))
        return try Command.run(
            ["-w", "/bin/sh", "-c", "exec \"$0\" \"$@\" <'\(input == nil ? "/dev/null" : file)'"] + words(arguments),
            environment: environment, program: URL(filePath: "/usr/bin/setsid"))
    }

    /// Starts a command at a terminal.
    func start(_ arguments: [String]) throws -> CommandAtTerminal {
        let words = words(arguments)
        return try CommandAtTerminal(Array(words.dropFirst()), program: words[0], environment: environment)
    }

    /// Starts a command at a terminal, with a program before it.
    func start(_ arguments: [String], under program: String) throws -> CommandAtTerminal {
        let words = words(arguments, under: [program])
        return try CommandAtTerminal(Array(words.dropFirst()), program: words[0], environment: environment)
    }

    private func words(_ arguments: [String], under program: [String] = []) -> [String] {
        prefix + program + [Command.binary.path] + arguments
    }

    /// Runs a command at a terminal, answers its prompts, and returns its status and what it showed.
    @discardableResult
    func at(
        _ arguments: String..., asked dialogue: [(question: String, answer: String)] = [],
        location: SourceLocation = #_sourceLocation
    ) throws -> (status: Int32, shown: String) {
        let terminal = try start(arguments)
        let before = terminal.settingsAtFirst
        try terminal.answer(dialogue, at: location)
        let status = terminal.end()
        #expect(terminal.settings == before, sourceLocation: location)
        return (status, terminal.shown)
    }

    /// The prompt for the passcode, with its answer.
    var typingPasscode: [(question: String, answer: String)] { [("Passcode: ", passcode + "\n")] }

    /// The process of the agent; nil if none is running.
    var agent: Int? {
        get throws {
            struct Status: Decodable { let process: Int }
            return try? JSONDecoder().decode(Status.self, from: Data(run("status", "--json").output.utf8)).process
        }
    }
}

extension VaultAtTerminal {
    /// Starts a command below a program in the same job, as a coding agent is, which sets the terminal to single keys or leaves it, reads it until the
    /// command ends, and then prints what it got.
    func startBesideReader(_ words: String, isRaw: Bool, environment: [String: String] = [:]) throws
        -> CommandAtTerminal
    {
        let script = """
            import os, select, subprocess, sys, termios, threading, time
            raw = \(isRaw ? "True" : "False")
            before = termios.tcgetattr(0)
            if raw:
                mode = termios.tcgetattr(0)
                mode[3] &= ~(termios.ICANON | termios.ECHO)
                termios.tcsetattr(0, termios.TCSANOW, mode)
            got = []
            def read():
                while True:
                    if raw: select.select([0], [], [])
                    got.append(os.read(0, 1000))
            threading.Thread(target=read, daemon=True).start()
            time.sleep(0.3)
            status = subprocess.run(['\(Command.binary.path)'] + '\(words)'.split(), stdin=subprocess.DEVNULL).returncode
            time.sleep(0.2)
            termios.tcsetattr(0, termios.TCSANOW, before)
            print('[status', status, 'got', b''.join(got), ']', flush=True)
            os._exit(0)
            """
        return try CommandAtTerminal(
            ["-c", script], program: "/usr/bin/python3", environment: self.environment.merging(environment) { $1 })
    }
}
