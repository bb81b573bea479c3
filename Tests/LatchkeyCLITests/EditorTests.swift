import AgentProtocol
import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// `latchkey edit --editor`, with editors that a test writes.
@Suite(.serialized, .waitsInOrder) struct EditorTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("a", "old secret")
    }

    /// Runs `latchkey edit --editor a` with an editor of this text, in which $1 is the file.
    private func edit(_ editor: String, _ options: String = "", variable: String = "VISUAL") throws -> Command.Run {
        let path = vault.path("editor")
        try TestProgram.write("#!/bin/sh\n\(editor)\n", to: path)
        let others = ["VISUAL": "", "EDITOR": "", "SEEN": vault.path("seen")]
        return try vault.sh("latchkey edit --editor \(options) a", others.merging([variable: path]) { $1 })
    }

    private var seen: [String] {
        let text = (try? String(contentsOfFile: vault.path("seen"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    @Test func whatTheEditorWritesIsSavedAndTheFileIsGone() throws {
        let look =
            "d=$(dirname \"$1\"); stat -c %a \"$1\" \"$d\" >\"$SEEN\"; stat -f -c %T \"$1\" >>\"$SEEN\"; echo \"$d\" >>\"$SEEN\""
        let run = try edit("\(look); sed -i s/old/new/ \"$1\"; : >\"$1~\"")
        #expect(run.status == 0 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("latchkey cannot remove what the editor itself keeps"))
        #expect(run.errors.hasSuffix("\nSaved a; opens while the vault is unlocked.\n"))
        #expect(try vault.get("a") == "new secret")
        #expect(seen.prefix(3) == ["600", "700", "tmpfs"], "\(seen)")
        #expect(!FileManager.default.fileExists(atPath: try #require(seen.last)))
        #expect(!run.errors.contains("new secret") && !run.errors.contains("old secret"))
    }

    @Test func aFieldIsNotEditedInTheEditor() throws {
        #expect(try vault.sh("echo 1234 | latchkey edit a --field pin").status == 0)
        for option in ["--field pin", "--remove-field pin"] {
            let run = try edit("echo other >\"$1\"", option)
            #expect(run.status == 2 && run.errors.contains("exclude each other"), "\(run)")
        }
        #expect(try vault.get("a") == "old secret")
    }

    @Test func theVariablesAreReadInTheirOrderWithTheirOptions() throws {
        let sed = try vault.sh("VISUAL='sed -i s/old/1/' EDITOR=false latchkey edit --editor a")
        #expect(sed.status == 0, "\(sed)")
        #expect(try vault.get("a") == "1 secret")
        #expect(try edit("printf 2 >\"$1\"", variable: "EDITOR").status == 0)
        #expect(try vault.get("a") == "2")
    }

    @Test func whatAnotherProgramSavedMeanwhileIsNotReplacedSilently() throws {
        let rotate = "sleep 1.1; printf rotated | latchkey edit a; echo mine >\"$1\""
        let run = try edit(rotate)
        #expect(run.status == 8 && run.errors.contains("a question needs your answer"), "\(run)")
        #expect(try vault.get("a") == "rotated")
    }

    @Test func nothingIsAskedWhereNothingMayBe() throws {
        let run = try edit("latchkey lock; echo mine >\"$1\"", "--no-prompt")
        #expect(run.status == 5 || run.status == 8, "\(run)")
        #expect(!run.errors.contains("Try again"), "\(run)")
    }

    /// Many editors end a file with a line feed that nobody typed.
    @Test func aLineFeedThatTheEditorAddsIsDropped() throws {
        #expect(try edit("echo added >\"$1\"").status == 0)
        #expect(try vault.get("a") == "added")
        try vault.set("a", "two\nlines\n")
        #expect(try edit("echo three >>\"$1\"").status == 0)
        #expect(try vault.get("a") == "two\nlines\nthree\n")
    }

    @Test func nothingIsSavedUnlessTheEditorChangedSomething() throws {
        let same = try edit("echo >>\"$1\"")
        #expect(same.status == 0 && same.errors.hasSuffix("\nYou changed nothing, so a is as it was.\n"), "\(same)")
        let commented = try edit("true", "--comment 'of the build'")
        #expect(commented.status == 0 && commented.errors.contains("\nSaved a; "), "\(commented)")
        #expect(try vault.sh("latchkey show a").output.contains("of the build"))
        for (editor, words) in [
            (": >\"$1\"", "the file was left empty, and nothing was saved"),
            ("rm \"$1\"", "the editor left no file, and nothing was saved"),
            ("echo x >\"$1\"; exit 3", "exited with 3, and nothing was saved"),
            ("echo x >\"$1\"; kill -9 $$", "was ended by signal 9, and nothing was saved"),
            ("ln -sf /etc/passwd \"$1\"", "the editor left no file, and nothing was saved"),
        ] {
            let run = try edit("dirname \"$1\" >\"$SEEN\"; \(editor)")
            #expect(run.status == 1 && run.errors.contains(words), "\(run)")
            #expect(try vault.get("a") == "old secret")
            #expect(!FileManager.default.fileExists(atPath: try #require(seen.last)))
        }
        let missing = try vault.sh("VISUAL=/nonexistent/editor latchkey edit --editor a")
        #expect(missing.status == 1 && missing.errors.contains("set VISUAL to another one"), "\(missing)")
        for other in ["--value", "--from-file x", "--trim"] {
            #expect(try edit("false", other).status == 2)
        }
    }

    @Test(arguments: [("TERM", 143), ("INT", 130), ("HUP", 129)])
    func aSignalRemovesTheFile(_ signal: String, _ status: Int) throws {
        let path = vault.path("editor")
        // The editor waits on a pipe that is never written to, until the signal reaches it too.
        try TestProgram.write("#!/bin/sh\ndirname \"$1\" >\"$HOME/said\"\nread line <\"$HOME/never\"\n", to: path)
        let run = try vault.sh(
            """
            cd; mkfifo said never; exec 3<>never
            env --default-signal=INT --default-signal=HUP latchkey edit --editor a 2>/dev/null & own=$!
            read folder <said; test -d "$folder" || echo missing; kill -\(signal) $own; wait $own; echo $?
            test -e "$folder" && echo left
            """, ["VISUAL": path])
        #expect(run.output == "\(status)\n", "\(run)")
        #expect(try vault.get("a") == "old secret")
    }

    /// Ctrl-C is a key of the editor. One prompt is enough to read and to save.
    @Test func atATerminalTheEditorHasTheKeys() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run("set", "a", "--preset", "every-time", input: Data("old".utf8)).status == 0)
        let path = vault.place.path("editor")
        try TestProgram.write(
            "#!/bin/sh\ntrap 'echo caught' INT\necho ready; echo \"$1\"\nread line || read line\necho $line >\"$1\"\n",
            to: path)
        let terminal = try CommandAtTerminal(
            ["edit", "--editor", "a"], environment: vault.environment.merging(["VISUAL": path]) { $1 })
        try terminal.answer([("Passcode: ", vault.passcode + "\n"), ("ready", "\u{3}"), ("caught", "typed\n")])
        #expect(terminal.end() == 0, "\(terminal.shown)")
        #expect(terminal.shown.hasSuffix("\nSaved a; asks each time.\n"), "\(terminal.shown)")
        #expect(terminal.shown.ranges(of: "Passcode: ").count == 1)
        // This vault has its folder of the session in memory, which comes before /dev/shm.
        #expect(terminal.shown.contains("\(vault.runtime)/latchkey-"))
        let shown = try vault.at("get", "a", asked: vault.typingPasscode)
        #expect(shown.shown.hasSuffix("\ntyped\n"))
    }

    @Test(.needsMounting) func aDiskIsRefused() throws {
        let disk = vault.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard try vault.sh("stat -f -c %T '\(disk)'").output != "tmpfs\n" else { return }
        let run = try vault.sh(
            "unshare -m sh -c 'mount --bind \"\(disk)\" /dev/shm && VISUAL=false latchkey edit --editor a'",
            ["XDG_RUNTIME_DIR": vault.environment["XDG_RUNTIME_DIR"] ?? ""])
        #expect(run.status == 1 && run.errors.contains("no folder in memory was found"), "\(run)")
    }
}
