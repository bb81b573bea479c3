import DeviceModel
import TestSupport
import Testing
import UserPresence

/// The keys that a user presses at a terminal while the sensor waits.
@Suite(.serialized, .waitsInOrder) struct TerminalKeysTests {
    private let terminal: Terminal
    private let user: TerminalUser
    private let before: Terminal.Settings

    init() throws {
        terminal = try Terminal()
        user = TerminalUser(path: terminal.path)
        before = terminal.settings
    }

    private func content(fallback: Bool = false, sensor: SensorKind = .touchID, enrolled: [String] = [])
        -> PromptContent
    {
        var content = PromptContent(.biometry, reason: "open the diary", app: "Diary", offersFallback: fallback)
        content.sensor = sensor
        content.enrolled = enrolled
        return content
    }

    private func standBy(fallback: Bool) throws -> Asked {
        let asked = Asked(standingBy: content(fallback: fallback), at: user)
        try terminal.wait(until: { !$0.isEchoed })
        #expect(asked.isWaiting)
        return asked
    }

    @Test func whatToDoAtTheSensorIsSaid() throws {
        let said: [(PromptContent, String)] = [
            (content(enrolled: ["left thumb", "right index"]), "Touch the sensor with left thumb or right index."),
            (content(), "Touch the sensor.\r\n"),
            (content(sensor: .faceID), "Look at the camera."),
            (content(sensor: .opticID, enrolled: ["Anna"]), "Look into the headset (enrolled: Anna)."),
            (content(fallback: true), "Enter: Enter Passcode; Esc: Cancel"),
        ]
        for (content, words) in said {
            #expect(try Asked(content, at: user).answer() == .touch)
            terminal.catchUp()
            #expect(terminal.text.contains(words))
        }
        #expect(terminal.settings == before)
    }

    @Test func enterIsTheFallbackWhereThereIsOne() throws {
        let offered = try standBy(fallback: true)
        terminal.type("abc")
        #expect(offered.isWaiting)
        terminal.type("\r")
        _ = try offered.answer()
        #expect(offered.prompt.ending == .fallback)
        #expect(terminal.settings == before)
        let missing = try standBy(fallback: false)
        terminal.type("\r")
        #expect(missing.isWaiting)
        #expect(missing.prompt.ending == nil)
        missing.prompt.end(.answered)
        _ = try missing.answer()
        #expect(terminal.settings == before)
        terminal.catchUp()
        #expect(!terminal.text.contains("abc"))
    }

    @Test(arguments: ["\u{1B}", "\u{1B}\u{1B}", "\u{4}"]) func escapeAndControlDDismiss(_ key: String) throws {
        let asked = try standBy(fallback: true)
        // An arrow key sends a sequence that begins with Escape, and dismisses nothing.
        terminal.type("\u{1B}[A")
        #expect(asked.isWaiting)
        terminal.type(key)
        _ = try asked.answer()
        #expect(asked.prompt.ending == .canceled)
        #expect(terminal.settings == before)
    }

    /// A busy program reads several keys at once.
    @Test(arguments: ["\u{1B}[A\u{1B}", "\u{1B}[1;5C\u{4}", "\u{1B}OP\u{1B}", "ab\u{1B}"])
    func aDismissalCountsAfterOtherKeys(_ keys: String) throws {
        let asked = try standBy(fallback: true)
        terminal.type(keys)
        _ = try asked.answer()
        #expect(asked.prompt.ending == .canceled)
        #expect(terminal.settings == before)
    }

    @Test func sequencesOfKeysDismissNothing() throws {
        let asked = try standBy(fallback: false)
        terminal.type("\u{1B}[A\u{1B}[1;5C\u{1B}OPx\u{1B}y\r")
        #expect(asked.isWaiting)
        asked.prompt.end(.answered)
        _ = try asked.answer()
    }

    @Test(arguments: [Prompt.Ending.answered, .systemCanceled, .timedOut])
    func itComesBackWhenThePromptIsOver(_ ending: Prompt.Ending) throws {
        let asked = try standBy(fallback: true)
        asked.prompt.end(ending)
        _ = try asked.answer()
        #expect(asked.prompt.ending == ending)
        #expect(terminal.settings == before)
        terminal.catchUp()
        #expect(terminal.text.contains("locked") == (ending == .systemCanceled))
        #expect(!terminal.text.contains("answered elsewhere"))
    }

    @Test func theEndOfTheTerminalDismisses() throws {
        let asked = try standBy(fallback: true)
        terminal.hangUp()
        _ = try asked.answer()
        #expect(asked.prompt.ending == .canceled)
        let nowhere = Prompt(content())
        TerminalUser(path: "/nonexistent/tty").standBy(nowhere)
        #expect(nowhere.ending == .canceled)
    }
}
