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
        /// The finger that touches the fake sensor.
        var finger = "right"
        var recoveryKey = ""
        /// The code that `latchkey receive` has shown.
        var code = ""
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
                ("What touches it? ", finger), (CommandAtTerminal.partQuestion, ""),
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
            if let found = shown.firstMatch(of: /latchkey retire ([0-9a-f-]{19})/) { code = String(found.1) }
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
            let line = command.replacing("CODE", with: new.code)
            let run = try (machine == "new$" ? new : old).run(line, typing: typing)
            #expect(run.status == status, "\(machine) \(command): \(run.shown)")
            #expect(
                words.isEmpty ? run.shown.isEmpty : run.shown.contains(words), "\(machine) \(command): \(run.shown)")
        }
    }

    private func get(_ name: String, on machine: Machine) throws -> String {
        let run = try machine.run("latchkey get \(name)", typing: [])
        return run.shown.split(separator: "\n").last.map(String.init) ?? ""
    }

    private func saveThree() throws {
        #expect(try old.run("latchkey biometry enroll right", typing: []).status == 0)
        try save("work/token")
        try save("mail/password", "--preset open --this-device-only")
        try save("bank/card", "--preset current-set")
    }

    private func isGone(_ machine: Machine) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: machine.home + "/.local/share").isEmpty
    }

    @Test func aNewLaptop() throws {
        try saveThree()
        try save("door", "--preset biometry --this-device-only")
        let key = try old.run("latchkey key generate signing --preset open", typing: [])
        #expect(key.status == 0)
        new.passcode = old.passcode
        try walk(
            "A new laptop",
            [
                (0, "bank/card is bound to the fingers enrolled on this machine: read it here"),
                (0, "bank/card is bound to the fingers of the old machine and opens no more"),
                (0, "Destroyed the keys of this vault."), (0, ""),
            ])
        // The passcode that was typed unlocked the new vault, and the code does not retire it.
        #expect(try new.run("latchkey status", typing: []).shown.contains("unlocked"))
        #expect(try new.run("latchkey retire \(new.code) --yes", typing: []).status == 7)
        for name in ["work/token", "mail/password"] { #expect(try get(name, on: new) == "s of \(name)") }
        // The fingers of the new machine open what takes any, and not what is bound to those of the old one.
        new.finger = "left"
        #expect(try new.run("latchkey biometry enroll left", typing: []).status == 0)
        #expect(try get("door", on: new) == "s of door")
        let bound = try new.run("latchkey get bank/card", typing: [])
        #expect(bound.status == 3 && bound.shown.contains("invalidated"), "\(bound)")
        let signed = try new.run(
            "printf text > text; latchkey key sign signing text > signature; wc -c < signature", typing: [])
        #expect(signed.status == 0, "\(signed)")
        #expect(try isGone(old))
        #expect(try old.run("latchkey get work/token", typing: []).shown.contains("there is no vault at "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path).isEmpty)
    }

    /// With `--keep` there is no code, and a code of another vault retires none.
    @Test func bothMachinesKeepIt() throws {
        try save("work/token")
        new.passcode = old.passcode
        let sent = try old.run("latchkey transfer --keep /media/disk/vault.transfer", typing: [])
        #expect(sent.status == 0 && sent.shown.contains("leaves this vault as it is"), "\(sent)")
        let received = try new.run("latchkey receive /media/disk/vault.transfer", typing: [])
        #expect(received.status == 0 && received.shown.contains("Two vaults exist now."), "\(received)")
        let refused = try old.run("latchkey retire 0123-4567-89ab-cdef", typing: [])
        #expect(refused.status == 7 && refused.shown.contains("nothing was changed"), "\(refused)")
        for machine in [old, new] { #expect(try get("work/token", on: machine) == "s of work/token") }
    }

    /// Three wrong passphrases, or a wrong passcode, leave no vault behind.
    @Test func whatFailsLeavesNothing() throws {
        try save("work/token")
        #expect(try old.run("latchkey transfer /media/disk/vault.transfer", typing: []).status == 0)
        new.passcode = "a wrong passcode"
        let refused = try new.run("latchkey receive /media/disk/vault.transfer", typing: [])
        #expect(refused.status != 0, "\(refused)")
        #expect(try isGone(new))
        let other = try new.run("printf x > no; latchkey receive no", typing: [])
        #expect(other.shown.contains("is not the transfer of a vault"), "\(other)")
        #expect(refused.shown.ranges(of: "Passcode: ").count == 3)
        // The old vault is untouched.
        #expect(try get("work/token", on: old) == "s of work/token")
    }

    @Test func aNewLaptopBesideTheOldOne() throws {
        try saveThree()
        try walk(
            "A new laptop beside the old one", typing: ["s of bank/card"],
            [
                (1, "left out: bank/card: it never leaves its device"),
                (0, "Saved mail/password"), (0, ""), (0, "Wrote 2 secrets to "), (0, "Created a vault in "),
                (1, "left behind: bank/card: it never leaves its device"), (0, "Saved bank/card"),
                (0, "bank/card      asks "),
                (0, "Stopped the agent."), (0, ""),
            ])
        for name in ["work/token", "mail/password", "bank/card"] {
            #expect(try get(name, on: new) == "s of \(name)")
        }
        #expect(try isGone(old))
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
            "A new laptop", "A new laptop beside the old one", "A lost laptop", "A forgotten passcode",
            "To another password manager",
        ]
        #expect(try sections.map { try Self.lines(of: $0).count }.reduce(0, +) == all)
    }
}
