import DeviceModel
import TestSupport
import Testing
import UserPresence

/// The text of prompts, and what must never appear in it.
@Suite(.serialized, .waitsInOrder) struct TerminalWordsTests {
    private let terminal: Terminal

    init() throws { terminal = try Terminal() }

    private static let requests: [PromptContent.Kind: String] = [
        .companion: "press Enter: ", .passcode: "\r\nPasscode: ", .formerPasscode: "\r\nFormer passcode: ",
        .applicationPassword: "\r\nApplication password: ", .newApplicationPassword: "\r\nNew application password: ",
        .permission: "[y/n] ",
    ]

    /// Returns the text of a prompt, which is over afterwards.
    private func shown(_ content: PromptContent, _ style: TerminalStyle = .plain) throws -> String {
        let before = terminal.shownBytes.count
        let asked = Asked(content, at: TerminalUser(path: terminal.path, style: style))
        if let request = Self.requests[content.kind] {
            try terminal.wait(for: request)
            asked.prompt.end(.timedOut)
            try terminal.wait(for: "(There was no answer in time.)\r\n")
        } else {
            try terminal.wait(for: "sensor with ", "Touch the sensor")
        }
        _ = try asked.answer()
        terminal.catchUp()
        return String(decoding: terminal.shownBytes.dropFirst(before), as: UTF8.self)
    }

    private static let kinds: [PromptContent.Kind] = [
        .biometry, .companion, .passcode, .formerPasscode, .applicationPassword, .newApplicationPassword, .permission,
    ]

    @Test(arguments: kinds) func nothingFromElsewhereIsObeyed(_ kind: PromptContent.Kind) throws {
        let hostile =
            "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{90}q\u{9C}\u{0}\u{8}\u{7F}\r\nPasscode: \u{85}\u{2028}"
            + "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}\u{E0041}end"
        var content = PromptContent(kind, reason: hostile, app: hostile, offersFallback: true)
        content.fallbackTitle = hostile
        content.cancelTitle = hostile
        content.notes = [hostile, "\u{1B}", ""]
        content.enrolled = [hostile]
        content.sensor = .touchID
        content.attempt = 2
        let text = try shown(content)
        #expect(text.contains("owned"), "nothing was tried")
        for scalar in text.unicodeScalars {
            let isHarmless =
                switch scalar.value {
                case 0x0A, 0x0D: true
                case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: false
                default: true
                }
            #expect(isHarmless, "U+\(String(scalar.value, radix: 16))")
        }
        // Only our own line begins like a request.
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Passcode: ") }
        #expect(lines.count == (kind == .passcode ? 1 : 0))
    }

    @Test func whatIsTooLongIsCut() throws {
        var content = PromptContent(.passcode, reason: "r" + String(repeating: "\u{300}", count: 100_000), app: "Diary")
        content.notes = (0..<1000).map { "note \($0) " + String(repeating: "x", count: 1000) }
        let text = try shown(content)
        #expect(text.unicodeScalars.count < 4000)
        #expect(text.contains("..."))
        #expect(text.contains("note 7") && !text.contains("note 8"))
    }

    @Test func whatIsHarmlessIsShownAsItIs() throws {
        var content = PromptContent(.passcode, reason: "öffne  das\tTagebuch \u{2764}\u{FE0F}", app: "日記")
        content.notes = ["Your password expires in 3 days."]
        content.attempt = 2
        let text = try shown(content)
        #expect(text.contains("\"日記\" wants to öffne das Tagebuch \u{2764}\u{FE0F}.\r\n"))
        #expect(text.contains("Note: Your password expires in 3 days.\r\n"))
        #expect(text.contains("Wrong passcode. This is attempt 2."))
        content.allowance = .init(number: 4, limit: 5)
        #expect(try shown(content).contains("  Wrong passcode. This is attempt 4 of 5.\r\n"))
        content.attempt = 1
        #expect(try shown(content).contains("  3 attempts before failed. This is attempt 4 of 5.\r\n"))
        content.allowance = .init(number: 1, limit: 5)
        #expect(!(try shown(content).contains("attempt")))
        content.reason = "Unlock your diary"
        #expect(try shown(content).contains("\"日記\" asks for the passcode.\r\n  Reason: Unlock your diary\r\n"))
    }

    /// A program chooses its reason. It must not pass for a sentence of Latchkey.
    @Test(arguments: [
        "read mail. Latchkey itself asks for your other passcode", "read mail: the owner has allowed it",
        "look\nat mail! Type it twice", String(repeating: "read and ", count: 20),
    ])
    func aReasonThatIsNoPhraseHasALineOfItsOwn(_ reason: String) throws {
        let text = try shown(PromptContent(.passcode, reason: reason, app: "Diary"))
        #expect(text.contains("\"Diary\" asks for the passcode.\r\n  Reason: "), "\(text)")
    }

    @Test func aProgramWhosePathIsHiddenHasItsName() throws {
        var content = PromptContent(.passcode, reason: "read mail", app: "latchkey")
        content.caller = .init(path: nil, process: 12, name: "cron")
        #expect(try shown(content).contains("  Program: \"cron\", whose path is hidden (process 12)\r\n"))
        content.caller = .init(path: nil, process: 12)
        #expect(try shown(content).contains("  Program: unknown (process 12)\r\n"))
    }

    @Test func theWaysOutHaveTheNamesThatTheAppGaveThem() throws {
        var content = PromptContent(.passcode, offersFallback: true)
        #expect(try shown(content).contains("(Enter alone: another way; Ctrl-D: Cancel)"))
        #expect(try shown(content).contains("This program asks for the passcode.\r\n"))
        content.fallbackTitle = "Use the card"
        content.cancelTitle = "Not now"
        #expect(try shown(content).contains("(Enter alone: Use the card; Ctrl-D: Not now)"))
        content.offersFallback = false
        #expect(try shown(content).contains("(Ctrl-D: Not now)"))
    }

    @Test func onlyTheQuestionIsBold() throws {
        let content = PromptContent(.passcode, reason: "open the diary", app: "Diary")
        #expect(try !shown(content).contains("\u{1B}"))
        let bold = try shown(content, .bold).split(separator: "\u{1B}", omittingEmptySubsequences: false)
        try #require(bold.count == 3)
        #expect(bold[1] == "[1m\"Diary\" wants to open the diary.")
        #expect(bold[2].hasPrefix("[0m\r\n"))
    }
}
