import DeviceModel
import Testing
import UserPresence

/// What somebody at a terminal does while the sensor waits for them.
@Suite(.serialized) struct TerminalKeysTests {
    private let terminal: PseudoTerminal
    private let holder: TerminalHolder
    private let before: PseudoTerminal.Settings

    init() throws {
        terminal = try PseudoTerminal()
        holder = TerminalHolder(path: terminal.path)
        before = terminal.settings
    }

    private func question(fallback: Bool = false, sensor: SensorKind = .touchID, enrolled: [String] = []) -> Question {
        var question = Question(.biometry, reason: "open the diary", app: "Diary", offersFallback: fallback)
        question.sensor = sensor
        question.enrolled = enrolled
        return question
    }

    private func standBy(fallback: Bool) throws -> Asked {
        let asked = Asked(standingBy: question(fallback: fallback), at: holder)
        try terminal.wait(untilEchoed: false)
        #expect(asked.isWaiting)
        return asked
    }

    @Test func whatToDoAtTheSensorIsSaid() throws {
        let said: [(Question, String)] = [
            (question(enrolled: ["left thumb", "right index"]), "Touch the sensor with left thumb or right index."),
            (question(), "Touch the sensor.\r\n"),
            (question(sensor: .faceID), "Look at the camera."),
            (question(sensor: .opticID, enrolled: ["Anna"]), "Look into the headset (it knows Anna)."),
            (question(fallback: true), "Enter: Enter Passcode; Esc: Cancel"),
        ]
        for (question, words) in said {
            #expect(try Asked(question, at: holder).answer() == .touch)
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
        // An arrow key is no escape.
        terminal.type("\u{1B}[A")
        #expect(asked.isWaiting)
        terminal.type(key)
        _ = try asked.answer()
        #expect(asked.prompt.ending == .cancelled)
        #expect(terminal.settings == before)
    }

    @Test(arguments: [Prompt.Ending.answered, .systemCancelled, .timedOut])
    func itComesBackWhenThePromptIsOver(_ ending: Prompt.Ending) throws {
        let asked = try standBy(fallback: true)
        asked.prompt.end(ending)
        _ = try asked.answer()
        #expect(asked.prompt.ending == ending)
        #expect(terminal.settings == before)
        terminal.catchUp()
        #expect(terminal.text.contains("locked") == (ending == .systemCancelled))
        #expect(!terminal.text.contains("answered elsewhere"))
    }

    @Test func theEndOfTheTerminalDismisses() throws {
        let asked = try standBy(fallback: true)
        terminal.hangUp()
        _ = try asked.answer()
        #expect(asked.prompt.ending == .cancelled)
        let nowhere = Prompt(question())
        TerminalHolder(path: "/nonexistent/tty").standBy(nowhere)
        #expect(nowhere.ending == .cancelled)
    }
}
