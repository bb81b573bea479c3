import AgentProtocol
import Foundation
import TestSupport
import Testing

/// `latchkey edit --editor`: signals, keys and disks. Everything else is in Fixtures/transcripts/edit-in-an-editor.txt.
@Suite(.serialized, .waitsInOrder) struct EditorTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("a", "old secret")
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
