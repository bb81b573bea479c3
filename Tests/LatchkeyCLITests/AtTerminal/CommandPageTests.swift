import CommandLineKit
import Foundation
import LatchkeyCLI
import TestSupport
import Testing

/// docs/command-line.md agrees with the commands.
@Suite(.waitsForProcesses) struct CommandPageTests {
    private func page(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    /// The transcript of the first commands is the real one, except for the folder, the key and the process.
    @Test func theFirstCommandsAreAsOnThePage() throws {
        let vault = try VaultAtTerminal(none: ())
        let passcode = vault.passcode + "\n"
        let commands = [
            "init --own-passcode", "set work/token", "list", "get work/token", "lock", "get work/token",
            "get work/token", "status",
        ]
        // One session on one terminal, as a person has it.
        let script = commands.map { "echo '$ latchkey \($0)'; '\(Command.binary.path)' \($0)" }
        let terminal = try CommandAtTerminal(
            ["-c", script.joined(separator: "; ")], program: "/bin/sh", environment: vault.environment)
        try terminal.answer([
            ("New passcode: ", passcode), ("Type it again: ", passcode), ("[2]: ", "\n"),
            (CommandAtTerminal.partQuestion, "\n"),
            ("Secret: ", "s3cret\n"), ("Type it again: ", "s3cret\n"), ("Passcode: ", passcode),
        ])
        #expect(terminal.end() == 0)
        let transcript = terminal.shown.replacing(vault.folder, with: "/home/you/.local/share/latchkey")
            .replacing(
                /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/,
                with: "PJK4-PSF5-RXYY-J7F5-WE12-6NFA-1BXH-37Y4-P3A9-RG2B-5ZCC-ZEGB-GGN2-5ZBX"
            )
            .replacing(/Type part \d+/, with: "Type part 9")
            .replacing(/process \d+/, with: "process 4711")
            .replacing(/Program: \S+/, with: "Program: /usr/bin/bash")
        #expect(try vault.run("agent", "stop").status == 0)
        #expect(try page("docs/command-line.md").contains("```\n" + transcript + "```\n"), "\(transcript)")
    }

    /// The transcript of keys is the real one, except for what is random. Openssl verifies the signature.
    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl")) func theKeysAreAsOnThePage() throws {
        let vault = try VaultAtTerminal("--fake-biometry")
        let folder = try TemporaryFolder(inMemory: true)
        try Data("a release\n".utf8).write(to: URL(filePath: folder.path("release.tar")))
        #expect(try vault.at("biometry", "enroll", "right index", asked: vault.typingPasscode).status == 0)
        let touch = [(question: "touches it? ", answer: "right index\n")]
        let latchkey = Command.binary.path
        let session: [(command: String, dialogue: [(question: String, answer: String)])] = [
            ("latchkey key generate signing --preset current-set > signing.pem", []),
            ("latchkey key sign signing release.tar > release.sig", touch),
            ("openssl dgst -sha256 -verify signing.pem -signature release.sig release.tar", []),
            ("latchkey key list", []),
        ]
        var transcript = ""
        for (command, dialogue) in session {
            let shell =
                "cd '\(folder.url.path)' && \(command.replacing("latchkey key", with: "'\(latchkey)' key")); exit $?"
            let terminal = try CommandAtTerminal(
                ["-c", shell], program: "/bin/sh", environment: vault.environment)
            try terminal.answer(dialogue)
            #expect(terminal.end() == 0, "\(terminal.shown)")
            transcript += "$ \(command)\n" + terminal.shown
        }
        transcript = transcript.replacing(/process \d+/, with: "process 4711")
            .replacing(/Program: \S+/, with: "Program: /usr/bin/bash")
        transcript = transcript.replacing(/[0-9a-f]{40}/, with: "7d865e959b2466918c9863afca942d0fb89d7c9a")
        #expect(try page("docs/command-line.md").contains("```\n" + transcript + "```\n"), "\(transcript)")
    }

    private var usesVaults: [Declaration] {
        Latchkey.commands.filter { ["secrets", "the vault"].contains($0.group) }
    }

    @Test func everyStatusIsInTheTable() throws {
        let page = try page("docs/command-line.md")
        var all: [Int32: Set<String>] = [:]
        for status in usesVaults.flatMap(\.statuses) where status.status > 2 {
            all[status.status, default: []].insert(status.says)
        }
        #expect(all.keys.sorted() == Array(3...13) + [126, 127])
        for (status, words) in all {
            #expect(words.count == 1, "a number means one thing")
            #expect(page.contains("\n| \(status) | \(words.first ?? "") |"), "\(status)")
        }
        #expect(page.components(separatedBy: "\n| ").count { Int($0.prefix { $0 != " " }) != nil } == 16)
    }

    @Test func everyPresetAndEveryCommandIsExplained() throws {
        let page = try page("docs/command-line.md")
        let options = usesVaults.flatMap { $0.options.flatMap(\.options) }
        let preset = try #require(options.first { $0.names.contains("--preset") })
        guard case .described(let words) = preset.values else {
            Issue.record("presets have names")
            return
        }
        #expect(words.count == 7)
        for name in words.map(\.word) { #expect(page.contains("\n| `\(name)` | "), "\(name)") }
        for command in usesVaults { #expect(page.contains("latchkey \(command.name)"), "\(command.name)") }
        for variable in ["LATCHKEY_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "NO_COLOR"] {
            #expect(page.contains("\n| `\(variable)` | "))
        }
    }
}
