import AgentProtocol
import Foundation
import TestSupport
import Testing
import UserPresence

/// Commands without a terminal, such as those of an IDE, a desktop launcher or a user service, prompt in a window.
@Suite(
    .serialized, .waitsInOrder,
    .enabled(
        if: VirtualDisplay.isThere && PinentryFlavor.qt.program != nil && PinentryFlavor.gtk.program != nil,
        "skipped: needs pinentry-qt, pinentry-gtk2, xvfb and xdotool"))
struct WindowTests {
    let vault: UnlockedVault
    let display: VirtualDisplay

    init() throws {
        vault = try UnlockedVault()
        display = try VirtualDisplay()
        try vault.set("work/token", "s3cret", .usual)
    }

    /// Starts a script without a terminal.
    private func start(_ script: String, _ changes: [String: String] = [:]) -> Background<
        Result<Command.Run, any Error>
    > {
        let environment = ["DISPLAY": display.name].merging(changes) { $1 }
        return Background { [vault] in Result { try vault.sh(script, environment) } }
    }

    /// Runs a script without a terminal, and answers its window.
    private func run(
        _ script: String, typing text: String = UnlockedVault.passcode, _ key: String = "Return"
    ) throws -> Command.Run {
        let running = start(script)
        if let window = try display.window(unless: { running.isOver }) {
            #expect(try display.type(text, key, into: window))
        } else {
            Issue.record("no window for \(script)")
        }
        let run = try running.value.get()
        #expect(try display.isEmptyInTime())
        return run
    }

    @Test func aCommandWithoutATerminalPromptsInAWindow() throws {
        let got = try run("latchkey get work/token")
        #expect(got.status == 0 && got.output == "s3cret", "\(got)")
        let dismissed = try run("latchkey get work/token", typing: "half", "Escape")
        #expect(dismissed.status == 6 && dismissed.output.isEmpty && !dismissed.errors.contains("half"), "\(dismissed)")
        // Nothing else of the environment of a launcher is needed.
        let launched = try run(
            "exec env -i DISPLAY=\"$DISPLAY\" LATCHKEY_HOME=\"$LATCHKEY_HOME\" XDG_RUNTIME_DIR=\"$XDG_RUNTIME_DIR\" "
                + "'\(Command.binary.path)' run --env TOKEN=work/token -- sh -c 'test \"$TOKEN\" = s3cret && echo yes'")
        #expect(launched.status == 0 && launched.output == "yes\n", "\(launched)")
    }

    @Test func gitOfAnIDEGetsAWindow() throws {
        try vault.set("git/https/example.com/alice", "secret", .usual)
        let place = "protocol=https\\nhost=example.com\\nusername=alice\\n\\n"
        let got = try run("printf '\(place)' | git -c credential.helper=latchkey credential fill")
        #expect(got.status == 0 && got.output.contains("password=secret\n"), "\(got)")
    }

    @Test func aLockedVaultIsUnlockedInAWindow() throws {
        try vault.lock()
        let got = try run("latchkey get work/token")
        #expect(got.status == 0 && got.output == "s3cret", "\(got)")
    }

    @Test func aLockClosesTheWindow() throws {
        let running = start("latchkey get work/token")
        _ = try #require(try display.window(unless: { running.isOver }))
        try vault.lock()
        let run = try running.value.get()
        #expect(run.status == 6 && run.output.isEmpty, "\(run)")
        #expect(try display.isEmptyInTime())
    }

    @Test func aCommandThatIsEndedTakesItsWindowAlong() throws {
        let file = vault.path("process")
        let running = start("echo $$ > '\(file)'; exec latchkey get work/token")
        _ = try #require(try display.window(unless: { running.isOver }))
        let process = try #require(
            pid_t(String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)))
        #expect(kill(process, SIGTERM) == 0)
        let run = try running.value.get()
        #expect(run.status != 0 && run.output.isEmpty, "\(run)")
        #expect(try display.isEmptyInTime())
    }

    @Test func noPromptMeansNoneOnADesktopToo() throws {
        for (script, said) in [
            ("latchkey get --no-prompt work/token", "--no-prompt forbids it"),
            ("LATCHKEY_PROMPT=never latchkey get work/token", "LATCHKEY_PROMPT=never forbids it"),
            ("LATCHKEY_PROMPT=never latchkey run --env A=work/token -- true", "LATCHKEY_PROMPT=never forbids it"),
            ("latchkey passwd --no-prompt", "--no-prompt forbids it"),
        ] {
            let run = try start(script).value.get()
            #expect(run.status == 8 && run.errors.contains(said), "\(run)")
        }
        let odd = try start("LATCHKEY_PROMPT=sometimes latchkey get work/token").value.get()
        #expect(odd.status == 2 && odd.errors.contains("LATCHKEY_PROMPT can only be never"), "\(odd)")
        #expect(try display.windows.isEmpty)
    }

    @Test func theSettingChoosesThePinentryOrNone() throws {
        let chosen = try run("latchkey config --pinentry gtk")
        #expect(chosen.status == 0 && chosen.output.contains("gtk"), "\(chosen)")
        let running = start("latchkey get work/token")
        let window = try #require(try display.window(unless: { running.isOver }))
        let programs = try vault.sh("readlink /proc/[0-9]*/exe").output
        #expect(programs.contains("/usr/bin/pinentry-gtk-2\n"))
        #expect(try display.type(UnlockedVault.passcode, "Return", into: window))
        #expect(try running.value.get().output == "s3cret")
        #expect(try display.isEmptyInTime())
        let none = try run("latchkey config --pinentry none")
        #expect(none.status == 0 && none.output.contains("none: no prompts outside of a terminal"), "\(none)")
        let refused = try start("latchkey get work/token").value.get()
        #expect(refused.status == 8 && refused.errors.contains("`latchkey config --pinentry auto`"), "\(refused)")
        #expect(try display.windows.isEmpty)
    }

    @Test func aRefusalSaysHowToGetAPrompt() throws {
        let nowhere = try start("latchkey get work/token", ["DISPLAY": ""]).value.get()
        #expect(
            nowhere.status == 8 && nowhere.errors.contains("run the command in one, or in a desktop session"),
            "\(nowhere)")
        let gone = try start("latchkey get work/token", ["DISPLAY": ":32077"]).value.get()
        #expect(gone.status == 8 && gone.errors.contains("or in a session with a display"), "\(gone)")
        // These are no displays, and reach no program.
        for display in ["0", ":0 --evil", "../x:0"] {
            let odd = try start("latchkey get work/token", ["DISPLAY": display]).value.get()
            #expect(odd.status == 8, "\(odd)")
        }
    }

    @Test func theConfirmationOfSSHComesInAWindow() throws {
        let ask = "SSH_ASKPASS_PROMPT=confirm latchkey-askpass 'Allow use of key x?'"
        // The button that Enter alone presses is No.
        #expect(try run(ask, typing: "\t").status == 0)
        #expect(try run(ask, typing: "", "Escape").status == 1)
    }
}
