import Foundation
import TestSupport
import Testing

/// The commands of docs/new-laptop.md do what the page says, on two machines with one disk between them.
@Suite(.waitsForProcesses) struct LaptopPageTests {
    /// A machine: a home, and a session on its own terminal for each command.
    private final class Machine {
        let place: TemporaryFolder
        let disk: String
        var passcode: String
        var recoveryKey = ""
        private let passphrase = "a phrase for backups"

        init(disk: String, passcode: String) throws {
            place = try TemporaryFolder(inMemory: true)
            self.disk = disk
            self.passcode = passcode
            for name in ["run", "home", "bin"] {
                try FileManager.default.createDirectory(atPath: place.path(name), withIntermediateDirectories: false)
                try PAMStack.restrict(place.path(name), 0o700)
            }
            try FileManager.default.createSymbolicLink(
                atPath: place.path("bin/latchkey"), withDestinationPath: Command.binary.path)
        }

        deinit { _ = try? run("latchkey agent stop", typing: []) }

        var home: String { place.path("home") }

        private var environment: [String: String] {
            [
                "HOME": home, "XDG_RUNTIME_DIR": place.path("run"), "XDG_DATA_HOME": "", "LATCHKEY_HOME": "",
                "TZ": "UTC",
                "PATH": "\(place.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            ]
        }

        /// The answers to every prompt of the page.
        private func answers(_ typing: [String]) -> [(question: String, answer: String)] {
            [
                ("New passcode: ", passcode), ("Passcode: ", passcode), ("New passphrase: ", passphrase),
                ("Passphrase: ", passphrase), ("Recovery key: ", recoveryKey), ("[y/N] ", "y"), ("[2]: ", ""),
            ] + typing.map { ("Secret: ", $0) }
        }

        /// Runs a line of the page, and returns its status and what the terminal shows.
        @discardableResult
        func run(_ line: String, typing: [String]) throws -> (status: Int32, shown: String) {
            let script = line.replacing("/media/disk", with: disk)
            let terminal = try CommandAtTerminal(
                ["-c", "cd \"$HOME\"; \(script); echo \"[ended with $?]\""], program: "/bin/sh",
                environment: environment)
            let known = answers(typing)
            var last = ""
            while true {
                try terminal.wait(forAnyOf: known.map(\.question) + ["Type it again: ", "[ended with "])
                let question = terminal.lastSeen
                if question == "[ended with " { break }
                if question != "Type it again: " { last = known.first { $0.question == question }?.answer ?? "" }
                terminal.type(last + "\n")
            }
            _ = terminal.end()
            let shown = terminal.shown
            if let key = shown.firstMatch(of: /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/) { recoveryKey = String(key.0) }
            let status = try #require(shown.firstMatch(of: /\[ended with (\d+)\]\n$/).flatMap { Int32($0.1) })
            return (status, shown.replacing(/\[ended with \d+\]\n$/, with: ""))
        }
    }

    /// The lines of a section that are to be typed: the name of the machine, and the command.
    private static func lines(of section: String) throws -> [(machine: String, command: String)] {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/new-laptop.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "\n## ").filter { $0.hasPrefix(section + "\n") }
        try #require(parts.count == 1, "\(section)")
        return parts[0].split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /((?:old|new)?\$) (.*)/).map { (String($0.1), String($0.2)) }
        }
    }

    private let disk: TemporaryFolder
    private let old: Machine
    private let new: Machine

    init() throws {
        disk = try TemporaryFolder(inMemory: true)
        old = try Machine(disk: disk.url.path, passcode: "correct horse")
        new = try Machine(disk: disk.url.path, passcode: "battery staple")
        let made = try old.run("latchkey init --own-passcode --default-policy presence --fake-biometry", typing: [])
        try #require(made.status == 0, "\(made)")
    }

    private func save(_ name: String, _ options: String = "") throws {
        let saved = try old.run("printf 's of \(name)' | latchkey set \(name) \(options)", typing: [])
        try #require(saved.status == 0, "\(saved)")
    }

    /// Runs every command of a section, and checks its status and a part of what it shows.
    private func walk(
        _ section: String, typing: [String] = [], _ expected: [(status: Int32, words: String)]
    ) throws {
        let lines = try Self.lines(of: section)
        try #require(lines.count == expected.count, "\(section)")
        for ((machine, command), (status, words)) in zip(lines, expected) {
            let run = try (machine == "new$" ? new : old).run(command, typing: typing)
            #expect(run.status == status, "\(machine) \(command): \(run.shown)")
            #expect(
                words.isEmpty ? run.shown.isEmpty : run.shown.contains(words), "\(machine) \(command): \(run.shown)")
        }
    }

    private func get(_ name: String, on machine: Machine) throws -> String {
        let run = try machine.run("latchkey get --show \(name)", typing: [])
        return run.shown.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test func aNewLaptop() throws {
        #expect(try old.run("latchkey biometry enroll right", typing: []).status == 0)
        try save("work/token")
        try save("mail/password", "--preset open --this-device-only")
        try save("bank/card", "--preset current-set")
        try walk(
            "A new laptop", typing: ["s of bank/card"],
            [
                (1, "left out: bank/card: it never leaves its device"),
                (0, "Saved mail/password"), (0, ""), (0, "Wrote 2 secrets to "), (0, "Created a vault in "),
                (1, "left behind: bank/card: it never leaves its device"), (0, "Saved bank/card"),
                (0, "bank/card      userPresence  whenUnlocked\nmail/password  nothing       whenUnlocked\nwork/token"),
                (0, "Stopped the agent."), (0, ""),
            ])
        for name in ["work/token", "mail/password", "bank/card"] {
            #expect(try get(name, on: new) == "s of \(name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: old.home + "/.local/share") == [])
    }

    @Test func aLostLaptop() throws {
        try save("work/token")
        try save("mail/password")
        #expect(try old.run("latchkey backup /media/disk/latchkey.backup", typing: []).status == 0)
        try walk(
            "A lost laptop", typing: ["another token"],
            [(0, "Created a vault in "), (0, "Restored 2 secrets; 0 existed already."), (0, "Saved work/token")])
        #expect(try get("work/token", on: new) == "another token")
        #expect(try get("mail/password", on: new) == "s of mail/password")
    }

    @Test func aForgottenPasscode() throws {
        try save("work/token")
        #expect(try old.run("latchkey backup /media/disk/latchkey.backup", typing: []).status == 0)
        #expect(try old.run("latchkey lock", typing: []).status == 0)
        old.passcode = "a new passcode"
        try walk(
            "A forgotten passcode",
            [
                (0, "Set a new passcode."), (0, "Unlocked the vault."), (0, "Stopped the agent."), (0, ""),
                (0, "Created a vault in "), (0, "Restored 1 secret; 0 existed already."),
            ])
        #expect(try get("work/token", on: old) == "s of work/token")
        #expect(FileManager.default.fileExists(atPath: old.home + "/latchkey.locked/vault.db"))
    }

    @Test func anotherPasswordManager() throws {
        try save("work/token")
        try walk(
            "To another password manager",
            [
                (0, "Wrote 1 secret to passwords.csv, not encrypted. Once you have used it: shred -u passwords.csv"),
                (0, ""),
            ])
        #expect(!FileManager.default.fileExists(atPath: old.home + "/passwords.csv"))
    }

    /// Every command of the page is in one of the sections above.
    @Test func everyCommandIsWalked() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/new-laptop.md"), encoding: .utf8)
        let all = page.split(separator: "\n").filter { $0.contains(#/^(?:old|new)?\$ /#) }.count
        let sections = [
            "A new laptop", "A lost laptop", "A forgotten passcode", "To another password manager",
        ]
        #expect(try sections.map { try Self.lines(of: $0).count }.reduce(0, +) == all)
    }
}
