import AccessPolicy
import AgentProtocol
import Foundation
import TestSupport
import Testing

/// `latchkey get --clip`, with a real X server, with scripts for Wayland, and at a terminal over SSH.
@Suite(.serialized, .waitsInOrder) struct ClipboardTests {
    private static let secret = "s3cret of the clipboard"
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("web/shop", Self.secret + "\n")
    }

    /// Sets a time that no other process uses, so that the process that clears can be found.
    private func time() throws -> Int {
        let seconds = Int.random(in: 1000...3599)
        try vault.change([.clipboardTime: .number(seconds)])
        return seconds
    }

    private func get(_ display: ClipboardDisplay, _ name: String = "web/shop") throws -> Command.Run {
        try vault.sh("latchkey get --clip \(name)", ["DISPLAY": display.name, "WAYLAND_DISPLAY": ""])
    }

    @Test(.enabled(if: ClipboardDisplay.isThere, "skipped: needs xvfb and xclip"))
    func aSecretIsCopiedAndClearedLater() throws {
        let display = try ClipboardDisplay()
        let seconds = try time()
        try display.copy("before")
        let run = try get(display)
        #expect(run.status == 0 && run.output.isEmpty, "\(run)")
        #expect(run.errors.wholeMatch(of: /Copied web\/shop to the clipboard for [0-9a-z ]+\.\n/) != nil)
        #expect(try display.text == Self.secret, "without the line feed")
        let clearing = try #require(ClearingProcess("xclip", seconds))
        if Privileges.isRoot {
            var needles = Needles()
            needles.add("secret", Array(Self.secret.utf8))
            #expect(try needles.found(inMemoryOf: clearing.number).isEmpty)
        }
        try clearing.end()
        #expect(try Patience.wait { try display.text.isEmpty })
    }

    @Test(.enabled(if: ClipboardDisplay.isThere, "skipped: needs xvfb and xclip"))
    func onlyTheSecretItselfIsCleared() throws {
        let display = try ClipboardDisplay()
        let seconds = try time()
        #expect(try get(display).status == 0)
        let clearing = try #require(ClearingProcess("xclip", seconds))
        try display.copy("of another program")
        try clearing.end()
        #expect(try display.text == "of another program")
    }

    @Test(.enabled(if: ClipboardDisplay.isThere, "skipped: needs xvfb and xclip"))
    func itIsClearedInTimeOrNever() throws {
        let display = try ClipboardDisplay()
        try vault.change([.clipboardTime: 1])
        let run = try get(display)
        #expect(run.errors == "Copied web/shop to the clipboard for 1 second.\n", "\(run)")
        #expect(try Patience.wait { try display.text.isEmpty })
        try vault.change([.clipboardTime: 0])
        #expect(try get(display).errors == "Copied web/shop to the clipboard.\n")
        #expect(ClearingProcess("xclip", 0) == nil)
        #expect(try display.text == Self.secret)
    }

    // MARK: - Programs that the test writes

    /// Writes programs that keep a clipboard of Wayland in a file, and note how they were called. Returns their environment.
    private func wayland(copying: String = "cat >\"$CLIP\"", version: String = "2.3.0") throws -> [String: String] {
        let tools = vault.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        let copy = "if [ \"$1\" = --clear ]; then : >\"$CLIP\"; else \(copying); fi"
        let asked = "if [ \"$1\" = --version ]; then echo wl-clipboard \(version); exit; fi"
        let noted = "echo \"$0 $*\" >>\"$CLIP.calls\"; stat -f -c %T \"$TMPDIR\" >>\"$CLIP.places\""
        try TestProgram.write("#!/bin/sh\n\(asked)\n\(noted)\n\(copy)\n", to: tools + "/wl-copy")
        // It fails once, as the program of a display that is locked does.
        let pasted = "test -e \"$CLIP.failed\" || { : >\"$CLIP.failed\"; exit 1; }; cat \"$CLIP\""
        try TestProgram.write("#!/bin/sh\necho \"$0 $*\" >>\"$CLIP.calls\"\n\(pasted)\n", to: tools + "/wl-paste")
        return [
            "WAYLAND_DISPLAY": "wayland-latchkey", "DISPLAY": "", "CLIP": vault.path("clip"),
            "PATH": "\(tools):\(vault.environment["PATH"] ?? "")",
        ]
    }

    private var clip: String { (try? String(contentsOfFile: vault.path("clip"), encoding: .utf8)) ?? "" }

    @Test func onWaylandItIsCopiedByWlCopy() throws {
        let environment = try wayland()
        let seconds = try time()
        let run = try vault.sh("latchkey get -c web/shop", environment)
        #expect(run.status == 0 && run.errors.contains("Copied web/shop to the clipboard for"), "\(run)")
        #expect(clip == Self.secret)
        try #require(ClearingProcess("wl-copy", seconds)).end()
        #expect(Patience.wait { clip.isEmpty })
        let calls = try String(contentsOfFile: vault.path("clip.calls"), encoding: .utf8)
        #expect(
            calls.split(separator: "\n").map { $0.replacing(/^.*\/(?=wl-)/, with: "") }
                == [
                    "wl-copy --type text/plain", "wl-paste --no-newline", "wl-paste --no-newline", "wl-copy --clear",
                ])
        let places = try String(contentsOfFile: vault.path("clip.places"), encoding: .utf8)
        #expect(places == "tmpfs\ntmpfs\n", "wl-copy serves the clipboard from a file")
        // Another text stays.
        #expect(try vault.sh("latchkey get -c web/shop", environment).status == 0)
        let other = try #require(ClearingProcess("wl-copy", seconds))
        try Data("other".utf8).write(to: URL(filePath: vault.path("clip")))
        try other.end()
        #expect(clip == "other")
    }

    @Test func anEarlierWlCopyIsNotUsedOnADisk() throws {
        let environment = try wayland(version: "2.1.0")
        try vault.change([.clipboardTime: 0])
        let isInMemory = try vault.sh("stat -f -c %T /tmp").output == "tmpfs\n"
        let run = try vault.sh("latchkey get -c web/shop", environment)
        #expect(run.status == (isInMemory ? 0 : 1), "\(run)")
        #expect(clip == (isInMemory ? Self.secret : ""))
        if !isInMemory { #expect(run.errors.contains("wl-copy before version 2.3"), "\(run)") }
    }

    @Test func fieldsAndVersionsAreCopiedAsTheyAreNamed() throws {
        let environment = try wayland()
        try vault.change([.clipboardTime: 0, .history: 3600])
        #expect(try vault.sh("printf anna | latchkey edit web/shop --field user").status == 0)
        let field = try vault.sh("latchkey get -c web/shop user", environment)
        #expect(field.errors == "Copied the field user of web/shop to the clipboard.\n", "\(field)")
        #expect(clip == "anna")
        #expect(try vault.sh("printf new | latchkey edit web/shop").status == 0)
        let former = try vault.sh("latchkey get -c web/shop --version 1", environment)
        #expect(former.errors == "Copied web/shop, version 1, to the clipboard.\n", "\(former)")
        #expect(clip == Self.secret)
        #expect(try vault.sh("latchkey get -c web/shop url", environment).status == 4)
    }

    /// A pipe takes less than this secret, so the program has to read.
    @Test func aProgramThatReadsNothingIsNotWaitedForLong() throws {
        let environment = try wayland(copying: "exec sleep 1000")
        try vault.change([.clipboardTime: 0])
        try vault.set("long", String(repeating: "x", count: 200_000))
        let run = try vault.sh("latchkey get -c long", environment)
        #expect(run.status == 1 && run.errors.contains("wl-copy could not copy"), "\(run)")
        let early = try wayland(copying: "exit 3")
        let refused = try vault.sh("latchkey get -c long", early)
        #expect(refused.status == 1 && refused.errors.contains("wl-copy could not copy"), "\(refused)")
    }

    @Test func aProgramThatFailsIsNamedAndNothingStays() throws {
        let environment = try wayland(copying: "cat >\"$CLIP\"; exit 3")
        let seconds = try time()
        let run = try vault.sh("latchkey get -c web/shop", environment)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errors.contains("wl-copy could not copy to the clipboard of WAYLAND_DISPLAY"), "\(run)")
        #expect(!run.errors.contains(Self.secret))
        #expect(Patience.wait { clip.isEmpty }, "what it copied all the same is cleared at once")
        #expect(Patience.wait { ClearingProcess("wl-copy", seconds) == nil })
    }

    @Test func withoutAClipboardNothingIsAskedAndNothingCopied() throws {
        try vault.set("protected", "x", ItemPolicy(.whenUnlocked, .userPresence))
        let none = ["WAYLAND_DISPLAY": "", "DISPLAY": "", "SSH_CONNECTION": "", "SSH_TTY": ""]
        let run = try vault.sh("latchkey get --clip protected", none)
        #expect(run.status == 1 && run.errors.hasPrefix("latchkey: there is no clipboard"), "\(run)")
        let bare = "latchkey=$(command -v latchkey); PATH=/nonexistent; \"$latchkey\" get --clip protected"
        let missing = try vault.sh(bare, none.merging(["DISPLAY": ":0"]) { $1 })
        #expect(missing.status == 1 && missing.errors.contains("run `apt install xclip`"), "\(missing)")
        let both = try vault.sh("latchkey get --clip --newline web/shop", none)
        #expect(both.status == 2 && both.errors.contains("--clip and --newline exclude each other"), "\(both)")
        try vault.set("binary", [0x61, 0, 0x62])
        try vault.set("latin", [0xE4])
        for name in ["binary", "latin"] {
            let run = try vault.sh("latchkey get --clip \(name)", try wayland())
            #expect(run.status == 1 && run.errors.contains("the secret is no text"), "\(run)")
        }
        #expect(clip.isEmpty)
    }

    @Test func overSSHTheTerminalGetsIt() throws {
        var environment = vault.environment
        for name in ["WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION"] { environment[name] = "" }
        environment["SSH_TTY"] = "/dev/pts/0"
        let terminal = try CommandAtTerminal(["get", "--clip", "web/shop"], environment: environment)
        #expect(terminal.end() == 0)
        #expect(
            terminal.shown == "\u{1B}]52;c;\(Data(Self.secret.utf8).base64EncodedString())\u{7}"
                + "Copied web/shop to the clipboard of your terminal, which only you can clear.\n")
        try vault.set("long", String(repeating: "x", count: 48 * 1024 + 1))
        let long = try CommandAtTerminal(["get", "--clip", "long"], environment: environment)
        #expect(long.end() == 1 && long.shown.contains("longer than the 48 KiB"), "\(long.shown.prefix(200))")
    }

    @Test func theTimeIsASetting() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run("config").output.contains("clipboard-time  45 seconds\n"))
        #expect(try vault.run("config", "--json").output.contains("\"clipboard-time\":45"))
        for (word, shown, json) in [("20s", "20 seconds", "20"), ("never", "never: the clipboard is not cleared", "0")]
        {
            let set = try vault.at("config", "--clipboard-time", word, asked: vault.typingPasscode)
            #expect(set.status == 0 && set.shown.contains("Saved."), "\(set)")
            #expect(try vault.run("config").output.contains("clipboard-time  \(shown)\n"))
            #expect(try vault.run("config", "--json").output.contains("\"clipboard-time\":\(json)"))
        }
        for word in ["0", "2h", "soon"] {
            #expect(try vault.run("config", "--clipboard-time", word).status == 2)
        }
    }
}
