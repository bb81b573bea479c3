import Foundation
import TestSupport
import Testing
import UserPresence

/// Prompts by way of the pinentries of the system: windows on a display of their own, and text on a terminal.
@Suite(.serialized, .waitsInOrder) struct RealPinentryTests {
    private static let hasQt = VirtualDisplay.isThere && PinentryFlavor.qt.program != nil
    private static let hasGTK = VirtualDisplay.isThere && PinentryFlavor.gtk.program != nil

    private func prompt(_ kind: PromptContent.Kind) -> Prompt {
        Prompt(PromptContent(kind, reason: "read work/token", app: "latchkey"))
    }

    private func user(_ flavor: PinentryFlavor, _ variables: [String: String]) throws -> PinentryUser {
        let place = PinentryPlace(variables, home: NSHomeDirectory(), runtime: "/nowhere")
        let program = try #require(flavor.program)
        return PinentryUser(
            [.init(program: program, isForTerminal: flavor.isForTerminal)], place,
            patience: .init(command: 170_000, answer: 180_000))
    }

    private func useWindows(of flavor: PinentryFlavor) throws {
        let display = try VirtualDisplay()
        let user = try user(flavor, ["DISPLAY": display.name, "LC_CTYPE": "C.UTF-8"])
        // What is typed comes back as it was typed.
        let typing = Background { GivenAnswer(user.answer(prompt(.passcode))) }
        var window = try #require(try display.window())
        #expect(try display.type("s3cret 100% %41", "Return", into: window))
        #expect(try typing.value == .typed("s3cret 100% %41"), "\(user.trouble ?? "")")
        #expect(try display.isEmptyInTime())
        // Escape dismisses the prompt.
        let dismissing = Background { GivenAnswer(user.answer(prompt(.passcode))) }
        window = try #require(try display.window())
        #expect(try display.type("half", "Escape", into: window))
        #expect(try dismissing.value == .cancel)
        #expect(try display.isEmptyInTime() && user.trouble == nil)
        // A match closes the window at the sensor.
        let sensor = prompt(.biometry)
        let waiting = Background { user.standBy(sensor) }
        _ = try #require(try display.window())
        sensor.end(.answered)
        try waiting.value
        #expect(try display.isEmptyInTime() && sensor.ending == .answered)
    }

    @Test(.enabled(if: hasQt, "skipped: needs pinentry-qt, xvfb and xdotool")) func aWindowOfQtAnswersPrompts() throws {
        try useWindows(of: .qt)
    }

    @Test(.enabled(if: hasGTK, "skipped: needs pinentry-gtk2, xvfb and xdotool")) func aWindowOfGTKAnswersPrompts()
        throws
    {
        try useWindows(of: .gtk)
    }

    @Test(.enabled(if: PinentryFlavor.qt.program != nil, "skipped: needs pinentry-qt"))
    func aDisplayThatIsGoneIsATrouble() throws {
        let user = try user(.qt, ["DISPLAY": "nowhere.invalid:77"])
        #expect(GivenAnswer(user.answer(prompt(.passcode))) == .cancel)
        #expect(user.trouble != nil)
    }

    private func useTerminal(of flavor: PinentryFlavor, shows request: String) throws {
        let terminal = try Terminal()
        let before = terminal.settings
        let user = try user(flavor, ["GPG_TTY": terminal.path, "TERM": "xterm", "LC_CTYPE": "C.UTF-8"])
        let typing = Background { GivenAnswer(user.answer(prompt(.passcode))) }
        try terminal.wait(for: request)
        try terminal.wait(until: { !$0.isEchoed })
        terminal.type("s3cret\r")
        #expect(try typing.value == .typed("s3cret"), "\(user.trouble ?? "") \(terminal.text)")
        #expect(terminal.settings == before && !terminal.text.contains("s3cret"))
        // A prompt that ends elsewhere gives the terminal back as it was.
        let locked = prompt(.passcode)
        let waiting = Background { GivenAnswer(user.answer(locked)) }
        try terminal.wait(for: request)
        locked.end(.systemCanceled)
        #expect(try waiting.value == .cancel)
        #expect(terminal.settings == before)
    }

    @Test(.enabled(if: PinentryFlavor.curses.program != nil, "skipped: needs pinentry-curses"))
    func cursesAnswersPromptsOnATerminal() throws {
        try useTerminal(of: .curses, shows: "Passcode:")
    }

    @Test(.enabled(if: PinentryFlavor.tty.program != nil, "skipped: needs pinentry-tty"))
    func aLineOnATerminalAnswersPrompts() throws {
        try useTerminal(of: .tty, shows: "Passcode:")
    }
}
