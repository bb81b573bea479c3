import CommandLineKit
import Foundation
import LatchkeyCLI
import TestSupport
import Testing

/// The exit status of each command, for each kind of failure. Each row has the command, its status, and a part of its
/// message.
@Suite(.waitsForProcesses) struct StatusTests {
    private typealias Row = (arguments: [String], status: Int32, says: String)

    private func play(_ rows: [Row], on vault: VaultAtTerminal, location: SourceLocation = #_sourceLocation) throws {
        for (arguments, status, says) in rows {
            let run = try vault.run(arguments)
            #expect(run.status == status, "\(arguments): \(run)", sourceLocation: location)
            #expect(says.isEmpty || run.errors.contains(says), "\(arguments): \(run.errors)", sourceLocation: location)
            let declared = Latchkey.commands.first { $0.name == arguments[0] }?.statuses.map(\.status) ?? []
            #expect((declared + [0, 1, 2]).contains(run.status), "\(arguments)", sourceLocation: location)
            // An error begins with the name of the program, and a confirmation does not.
            #expect(
                run.errors.isEmpty || run.errors.hasPrefix("latchkey: ") == (status != 0),
                "\(arguments): \(run.errors)",
                sourceLocation: location)
            #expect(run.errors.filter { $0 == "\n" }.count <= 1, sourceLocation: location)
            // These words belong to programs that use a keychain, and not to the command.
            for word in ["item", "errSec", "store it again", "caller", "holder"] {
                #expect(!run.errors.contains(word), "\(arguments): \(run.errors)", sourceLocation: location)
            }
        }
    }

    /// The commands on a vault, with valid words.
    private static let commands: [[String]] = [
        ["get", "a"], ["set", "b"], ["list"], ["show", "a"], ["edit", "a", "--comment", "c"], ["mv", "a", "b"],
        ["rm", "a"],
        ["unlock"], ["lock"], ["status"], ["passwd"], ["recover"], ["verify"], ["backup", "/nowhere/backup"],
        ["restore", "/nowhere/backup"], ["biometry", "list"], ["biometry", "enroll", "f"], ["biometry", "remove", "f"],
        ["biometry", "reset"], ["biometry", "test"], ["log"], ["agent"], ["agent", "stop"],
    ]

    @Test func everyCommandSaysThatThereIsNoVault() throws {
        let vault = try VaultAtTerminal(none: ())
        try play(
            Self.commands.map { ($0, 12, "there is no vault at \(vault.folder): create one with `latchkey init`") },
            on: vault)
        try play([(["init"], 8, "run the command in one")], on: vault)
    }

    @Test func everyCommandRefusesWordsThatItDoesNotKnow() throws {
        let vault = try VaultAtTerminal(none: ())
        try play(Self.commands.map { ($0 + ["--frobnicate"], 2, "unknown option \"--frobnicate\"") }, on: vault)
        try play(
            [
                (["init", "--kdf", "cheap"], 2, "unknown cost \"cheap\""),
                (["init", "--sensor-kind", "nose"], 2, "nose"),
                (["init", "--sensor", "relative"], 2, "an absolute path"),
                (["init", "--fake-biometry", "--sensor", "/x"], 2, "exclude each other"),
                (["log", "--last", "-1"], 2, "--last needs a number"), (["agent", "start"], 2, "agent takes \"stop\""),
                (["get"], 2, "NAME"), (["mv", "a"], 2, "NEWNAME"), (["biometry"], 2, "name a command"),
            ], on: vault)
    }

    @Test func withoutATerminalNothingHangs() throws {
        let vault = try VaultAtTerminal("--fake-biometry")
        try vault.run("set", "a", input: Data("secret".utf8))
        try vault.run("set", "free", "--preset", "open", input: Data("free".utf8))
        try play(
            [
                (["init"], 9, "nothing is replaced"), (["get", "a"], 8, "run the command in one"),
                (["get", "free"], 0, ""),
                (["get", "none"], 4, "no secret none: run `latchkey list`"),
                (["show", "none"], 4, "no secret none"),
                (["edit", "none", "--require", "nothing"], 4, "no secret none"),
                (["mv", "none", "b"], 4, "no secret none"), (["edit", "none"], 4, "no secret none"),
                (["rm", "none"], 4, "no secret none"), (["rm", "--force", "none"], 0, ""),
                (["set", "a"], 9, "--replace"),
                (["mv", "free", "a"], 9, "there is a secret a already"),
                (["mv", "a", "b"], 8, "run the command in one"),
                (["edit", "a", "--comment", "c"], 8, "run the command in one"),
                (["set", "new"], 2, "standard input was empty"),
                (["set", "../up"], 2, "folder elsewhere"),
                (["set", "new", "--from-file", "/nowhere"], 2, "No such file"),
                (["set", "new", "--from-file", "/"], 2, "Is a directory"), (["unlock"], 8, "run the command in one"),
                (["unlock", "--biometry"], 8, "run the command in one"), (["passwd"], 8, "run the command in one"),
                (["recover"], 8, "run the command in one"), (["backup", "/nowhere/b"], 8, "run the command in one"),
                (["restore", "/nowhere/b"], 8, "run the command in one"),
                (["biometry", "test"], 3, "no finger or face is enrolled"),
                (["biometry", "enroll", "f"], 8, "run the command in one"),
                (["biometry", "reset"], 8, "run the command in one"),
                (["biometry", "remove", "f"], 2, "not enrolled"), (["verify"], 0, ""), (["status"], 0, ""),
                (["log"], 0, ""),
                (["agent"], 13, "latchkey agent stop ends it"), (["lock"], 0, "Locked the vault.\n"),
                (["get", "a"], 5, "latchkey unlock"),
                (["get", "free"], 5, "latchkey unlock"), (["list"], 5, "latchkey unlock"),
                (["list", "--names"], 0, ""),
                (["show", "a"], 5, "latchkey unlock"),
                (["rm", "a"], 0, "Deleted a. To take this back, run `latchkey undo a`.\n"), (["verify"], 0, ""),
                (["lock"], 0, "Locked the vault.\n"),
                (["agent", "stop"], 0, ""), (["lock"], 0, "The vault is locked.\n"),
            ], on: vault)
    }

    @Test func aListWithoutWhatIsLockedSaysSo() throws {
        let vault = try VaultAtTerminal()
        try vault.run("set", "always there", "--preset", "service", input: Data("s".utf8))
        try vault.run("set", "locked", "--preset", "open", input: Data("o".utf8))
        try vault.run("lock")
        let part = try vault.run("list", "--json")
        #expect(part.status == 5 && part.output.contains("always there") && !part.output.contains("\"locked\""))
        #expect(part.errors == "latchkey: 1 more secret locked: run `latchkey unlock`\n")
        #expect(try vault.run("list", "--names").errors.isEmpty)
        #expect(try vault.run("get", "always there").output == "s")
        let whole = try vault.at("list", asked: vault.typingPasscode)
        #expect(whole.status == 0 && whole.shown.contains("\nlocked "))
    }

    @Test func completionOffersTheNamesThatAreNotLocked() throws {
        let vault = try VaultAtTerminal()
        try vault.run("set", "always there", "--preset", "service", "--user", "me", input: Data("s".utf8))
        try vault.run("set", "locked", "--preset", "open", input: Data("o".utf8))
        try vault.run("key", "generate", "of mine", "--preset", "open")
        let lines: [([String], String)] = [
            (["get", ""], "NAME\nalways there\nlocked\n"), (["get", "always there", ""], "FIELD\nuser\n"),
            (["run", "--env", "A="], "VAR=NAME\nA=always there\nA=locked\n"), (["key", "sign", ""], "NAME\nof mine\n"),
            (["get", "--vault", "/nowhere", ""], "option\n--help\tshow this help\n"),
        ]
        func answer(_ words: [String]) throws -> String {
            let run = try vault.run(["complete", "fish", "--", "latchkey"] + words)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            return run.output
        }
        for (words, expected) in lines { #expect(try answer(words).contains(expected), "\(words)") }
        try vault.run("lock")
        #expect(try answer(["get", ""]).hasSuffix("\n\nNAME\nalways there\n"))
        #expect(try !answer(["key", "sign", ""]).contains("of mine"))
    }

    @Test func whatIsDamagedIsSaid() throws {
        let vault = try VaultAtTerminal()
        try vault.run("agent", "stop")
        let file = vault.folder + "/vault.db"
        try Data("not a vault".utf8).write(to: URL(filePath: file))
        for arguments in Self.commands where !["agent", "lock"].contains(arguments[0]) {
            let run = try vault.run(arguments)
            #expect([11, 12, 13].contains(run.status), "\(arguments): \(run)")
            #expect(run.errors.contains(vault.folder) || run.errors.contains("damaged"), "\(run.errors)")
        }
    }

    @Test func whatIsJSONParsesAndHoldsNoSecret() throws {
        let vault = try VaultAtTerminal("--fake-biometry")
        for (name, options) in [
            ("a b/\"c\"\\ü", ["--preset", "open"]), ("other", []), ("cs", ["--preset", "current-set"]),
        ] {
            try vault.run(["set", name, "--comment", "\"\\\u{1F600}"] + options, input: Data("canary-value".utf8))
        }
        for arguments in [
            ["list", "--json"], ["show", "other", "--json"], ["status", "--json"], ["verify", "--json"],
            ["log", "--json"],
            ["biometry", "list", "--json"], ["log", "--json", "--last", "1"],
        ] {
            let run = try vault.run(arguments)
            #expect(run.status == 0)
            let lines = run.output.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
            #expect(!run.output.contains("canary-value"))
        }
        struct Status: Decodable { let delay: Int }
        let status = try JSONDecoder().decode(Status.self, from: Data(vault.run("status", "--json").output.utf8))
        #expect(status.delay == 0)
    }
}
