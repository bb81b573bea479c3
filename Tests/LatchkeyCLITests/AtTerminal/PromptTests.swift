import Foundation
import TestSupport
import Testing

/// Every prompt of a command, and every way to leave it.
@Suite(.waitsForProcesses) struct PromptTests {
    /// A prompt: its command, the answers before it, and its beginning.
    private struct Place {
        let arguments: [String]
        var before: [(question: String, answer: String)] = []
        let question: String
    }

    private enum Way: String, CaseIterable {
        case interrupt = "\u{3}", quit = "\u{1C}", end = "\u{4}", hangUp = ""
    }

    private static func places(_ vault: VaultAtTerminal) -> [Place] {
        let pass = vault.typingPasscode
        let secret = [(question: "Secret: ", answer: "x\n")]
        let phrase = [(question: "New passphrase: ", answer: "x\n")]
        let code = [(question: "New passcode: ", answer: "x\n")]
        let backup = vault.place.path("made")
        // The command checks this much of a backup before the passphrase: the head, with the cost *moderate*, two boxes, and
        // the record that ends it.
        let sealed = vault.place.path("sealed")
        let head = Data("LatchBak".utf8) + [1, 0, 0, 0, 3] + Data(count: 16 + 2 * 104) + [255, 1, 0, 0, 0, 0]
        _ = FileManager.default.createFile(atPath: sealed, contents: head)
        return [
            Place(arguments: ["rm", "open"], question: "[y/N] "),
            Place(arguments: ["get", "a"], question: "touches it? "),
            Place(arguments: ["get", "a"], question: "touches it? "),
            Place(arguments: ["get", "a"], before: [("touches it? ", "\n")], question: "Passcode: "),
            Place(arguments: ["set", "b"], question: "Secret: "),
            Place(arguments: ["set", "b"], before: secret, question: "Type it again: "),
            Place(arguments: ["edit", "a"], question: "Secret: "),
            Place(arguments: ["edit", "a", "--comment", "c"], question: "touches it? "),
            Place(arguments: ["mv", "a", "b"], question: "touches it? "),
            Place(arguments: ["passwd"], question: "Passcode: "),
            Place(arguments: ["passwd"], before: pass, question: "New passcode: "),
            Place(arguments: ["passwd"], before: pass + code, question: "Type it again: "),
            Place(arguments: ["recover"], question: "Recovery key: "),
            Place(
                arguments: ["recover"], before: [("Recovery key: ", vault.recoveryKey + "\n")],
                question: "New passcode: "),
            Place(arguments: ["backup", backup], question: "Passcode: "),
            Place(arguments: ["backup", backup], before: pass, question: "New passphrase: "),
            Place(arguments: ["backup", backup], before: pass + phrase, question: "Type it again: "),
            Place(arguments: ["restore", sealed], question: "Passcode: "),
            Place(arguments: ["restore", sealed], before: pass, question: "Passphrase: "),
            Place(arguments: ["biometry", "enroll", "left"], question: "Passcode: "),
            Place(arguments: ["biometry", "remove", "right"], question: "Passcode: "),
            Place(arguments: ["biometry", "reset"], question: "Passcode: "),
            Place(arguments: ["biometry", "test"], question: "touches it? "),
            Place(arguments: ["unlock"], question: "Passcode: "),
            Place(arguments: ["unlock", "--biometry"], question: "touches it? "),
        ]
    }

    private func vault() throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal("--fake-biometry")
        try #require(vault.at("biometry", "enroll", "right", asked: vault.typingPasscode).status == 0)
        try #require(vault.run("set", "a", input: Data("kept".utf8)).status == 0)
        try #require(vault.run("set", "open", "--preset", "open", input: Data("kept".utf8)).status == 0)
        return vault
    }

    @Test func everyQuestionCanBeLeft() throws {
        let vault = try vault()
        let agent = try #require(try vault.agent)
        let list = try vault.run("list", "--json").output
        for place in Self.places(vault) {
            for way in Way.allCases {
                let terminal = try vault.start(place.arguments)
                try terminal.answer(place.before)
                try terminal.wait(for: place.question)
                // After half a line, Ctrl-D would only submit that half.
                if way != .end { terminal.type("half") }
                if way == .hangUp { terminal.hangUp() } else { terminal.type(way.rawValue) }
                let status = terminal.end()
                let expected: [Int32] =
                    switch way {
                    case .interrupt: [-SIGINT]
                    case .quit: [-SIGQUIT]
                    case .end: [6]
                    case .hangUp: [-SIGHUP, 6]  // The end of input may come before the signal.
                    }
                #expect(
                    expected.contains(status), "\(place.arguments) at \(place.question) by \(way): \(terminal.shown)")
                if way != .hangUp {
                    #expect(terminal.settings == terminal.settingsAtFirst, "\(place.arguments) at \(place.question)")
                }
                let isSecret = !["[y/N] ", "touches it? "].contains(place.question)
                if isSecret { #expect(!terminal.shown.contains("half"), "\(place.arguments)") }
            }
            #expect(try vault.run("list", "--json").output == list, "\(place.arguments)")
        }
        #expect(try vault.agent == agent)
        #expect(!FileManager.default.fileExists(atPath: vault.place.path("made")))
        #expect(try vault.run("biometry", "list", "--names").output == "right\n")
        #expect(
            try vault.at("get", "a", asked: [("touches it? ", "\n")] + vault.typingPasscode).shown.hasSuffix(
                "\nkept\n"))
    }

    @Test func everyQuestionOutlastsAStop() throws {
        let vault = try vault()
        for place in Self.places(vault) {
            let words = ([Command.binary.path] + place.arguments).map { "'\($0)'" }.joined(separator: " ")
            let script = "\(words); echo [stopped]; read go; fg >/dev/null; echo [status $?]"
            let shell = try CommandAtTerminal(["-m", "-c", script], program: "/bin/sh", environment: vault.environment)
            let before = shell.settingsAtFirst
            try shell.answer(place.before)
            try shell.wait(for: place.question)
            shell.type("\u{1A}")
            try shell.wait(for: "[stopped]")
            #expect(shell.settings == before, "\(place.arguments) at \(place.question)")
            shell.type("\n")
            // The command asks for both lines again.
            try shell.wait(for: place.question == "Type it again: " ? ": " : place.question)
            shell.type("\u{3}")
            // The shell ends in the same way as the command that it waited for.
            #expect(shell.end() == -SIGINT, "\(place.arguments): \(shell.shown)")
            #expect(shell.settings == before)
        }
        #expect(try vault.run("list", "--names").output == "a\nopen\n")
    }

    @Test func aVaultIsMadeWholeOrNotAtAll() throws {
        let vault = try VaultAtTerminal(none: ())
        for (before, question) in [
            ([], "New passcode: "), ([(question: "New passcode: ", answer: "x\n")], "Type it again: "),
            ([("New passcode: ", "x\n"), ("Type it again: ", "x\n")], "1, 2 or 3 [2]: "),
            ([("New passcode: ", "x\n"), ("Type it again: ", "x\n"), ("[2]: ", "4\n")], "1, 2 or 3 [2]: "),
        ] {
            for way in Way.allCases {
                let terminal = try vault.start(["init", "--own-passcode"])
                try terminal.answer(before)
                try terminal.wait(for: question)
                if way == .hangUp { terminal.hangUp() } else { terminal.type(way.rawValue) }
                #expect([-SIGINT, -SIGQUIT, 6, -SIGHUP].contains(terminal.end()))
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: vault.place.url.path).sorted() == [
                        "home", "run",
                    ])
            }
        }
        // While the vault is being created, signals wait.
        let terminal = try vault.start(["init", "--own-passcode", "--default-policy", "every-time"])
        try terminal.answer([("New passcode: ", "x\n"), ("Type it again: ", "x\n")])
        let deadline = Patience.end
        while !FileManager.default.fileExists(atPath: vault.folder) && Date() < deadline { usleep(1000) }
        kill(terminal.process, SIGINT)
        let status = terminal.end()
        #expect(status == -SIGINT || status == 0)
        #expect(terminal.shown.contains("Recovery key"))
        #expect(try vault.at("unlock", asked: [("Passcode: ", "x\n")]).status == 0)
    }
}
