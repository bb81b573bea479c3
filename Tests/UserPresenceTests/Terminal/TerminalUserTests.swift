import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// Prompts on real terminals, which the test answers.
@Suite(.serialized, .waitsInOrder) struct TerminalUserTests {
    private let terminal: Terminal
    private let user: TerminalUser
    private let before: Terminal.Settings

    init() throws {
        terminal = try Terminal()
        user = TerminalUser(path: terminal.path)
        before = terminal.settings
        #expect(before.isEchoed)
    }

    private func ask(_ kind: PromptContent.Kind, fallback: Bool = false) -> Asked {
        Asked(PromptContent(kind, reason: "open the diary", app: "Diary", offersFallback: fallback), at: user)
    }

    private func expectAsBefore(_ location: SourceLocation = #_sourceLocation) {
        #expect(terminal.settings == before, sourceLocation: location)
    }

    @Test func whatIsTypedComesBackAndIsNotShown() throws {
        let asked = ask(.passcode)
        try terminal.wait(for: "Passcode: ")
        #expect(terminal.text.contains("\"Diary\" wants to open the diary.\r\n"))
        #expect(!terminal.settings.isEchoed)
        terminal.type("hunter2-Ä€\u{1F511}\n")
        #expect(try asked.answer() == .typed(Array("hunter2-Ä€\u{1F511}".utf8)))
        terminal.catchUp()
        #expect(!terminal.text.contains("hunter2"))
        #expect(terminal.text.hasSuffix("Passcode: \r\n"))
        expectAsBefore()
    }

    @Test func bytesThatAreNoTextComeBack() throws {
        let asked = ask(.applicationPassword)
        try terminal.wait(for: "Application password: ")
        let bytes = Array(UInt8(0x80)...0xFF) + Array(0x20...0x7E)
        terminal.type(bytes + [0x0A])
        #expect(try asked.answer() == .typed(bytes))
        expectAsBefore()
    }

    @Test func mistakesAreCorrectedWithTheUsualKeys() throws {
        let asked = ask(.passcode)
        try terminal.wait(for: "Passcode: ")
        terminal.type("wrong\u{15}12x\u{7F}34\r")
        #expect(try asked.answer() == .typed(Array("1234".utf8)))
        expectAsBefore()
    }

    @Test(arguments: [(PromptContent.Kind.passcode, 511), (.formerPasscode, 511), (.applicationPassword, 4094)])
    func theLongestIsTakenAndALongerOneRefused(_ kind: PromptContent.Kind, _ longest: Int) throws {
        let asked = ask(kind)
        let request = kind == .applicationPassword ? "Application password: " : "asscode: "
        for length in [longest + 1, 5000] {
            try terminal.wait(for: request)
            terminal.type([UInt8](repeating: 0x61, count: length) + [0x0A])
            try terminal.wait(for: "Too long: at most \(longest) bytes")
        }
        try terminal.wait(for: request)
        terminal.type([UInt8](repeating: 0x62, count: longest) + [0x0A])
        #expect(try asked.answer() == .typed([UInt8](repeating: 0x62, count: longest)))
        expectAsBefore()
    }

    @Test func threeLinesThatAreTooLongDismiss() throws {
        let asked = ask(.passcode, fallback: true)
        for _ in 0..<3 {
            try terminal.wait(for: "Passcode: ")
            terminal.type([UInt8](repeating: 0x61, count: 512) + [0x0A])
        }
        #expect(try asked.answer() == .cancel)
        expectAsBefore()
    }

    @Test(arguments: [true, false]) func anEmptyLineIsTheFallbackWhereThereIsOne(_ offered: Bool) throws {
        let kinds: [PromptContent.Kind] = [.passcode, .formerPasscode, .applicationPassword, .newApplicationPassword]
        for kind in kinds {
            let asked = ask(kind, fallback: offered)
            try terminal.wait(for: "word: ", "code: ")
            terminal.type("\n")
            #expect(try asked.answer() == (offered ? .fallback : .cancel))
            expectAsBefore()
        }
    }

    @Test func controlDDismisses() throws {
        for typed in ["\u{4}", "half\u{4}\u{4}"] {
            let asked = ask(.passcode, fallback: true)
            try terminal.wait(for: "Passcode: ")
            terminal.type(typed)
            #expect(try asked.answer() == .cancel)
            expectAsBefore()
        }
    }

    @Test func whatWasTypedAheadAnswersNothing() throws {
        terminal.type("0000\n")
        let asked = ask(.passcode)
        try terminal.wait(for: "Passcode: ")
        #expect(asked.isWaiting)
        terminal.type("1234\n")
        #expect(try asked.answer() == .typed(Array("1234".utf8)))
        expectAsBefore()
    }

    @Test func aNewPasswordIsAskedTwice() throws {
        let asked = ask(.newApplicationPassword)
        try terminal.wait(for: "New application password: ")
        terminal.type("one\n")
        try terminal.wait(for: "again: ")
        terminal.type("two\n")
        try terminal.wait(for: "do not match")
        try terminal.wait(for: "New application password: ")
        terminal.type("three\n")
        try terminal.wait(for: "again: ")
        terminal.type("three\n")
        #expect(try asked.answer() == .typed(Array("three".utf8)))
        terminal.catchUp()
        for word in ["one\r", "two\r", "three"] { #expect(!terminal.text.contains(word)) }
        expectAsBefore()
    }

    @Test func newPasswordsThatDifferThriceDismiss() throws {
        let asked = ask(.newApplicationPassword, fallback: true)
        for _ in 0..<3 {
            try terminal.wait(for: "New application password: ")
            terminal.type("one\n")
            try terminal.wait(for: "again: ")
            terminal.type("\n")
        }
        #expect(try asked.answer() == .cancel)
        expectAsBefore()
    }

    @Test func onlyYesPermits() throws {
        let answers: [(String, Heard)] = [
            ("y", .confirm), ("yes", .confirm), ("n", .cancel), ("", .cancel), ("yess", .cancel), ("Y ", .cancel),
            (String(repeating: "y", count: 600), .cancel),
        ]
        for (typed, heard) in answers {
            let asked = ask(.permission)
            try terminal.wait(for: "[y/n] ")
            #expect(terminal.settings.isEchoed)
            terminal.type(typed + "\n")
            #expect(try asked.answer() == heard, "\(typed)")
            expectAsBefore()
        }
    }

    @Test func enterConfirmsWhatTheCompanionShows() throws {
        for (typed, fallback, heard) in [
            ("", false, Heard.confirm), ("", true, .confirm), ("f", true, .fallback), ("f", false, .cancel),
            ("no", true, .cancel),
        ] {
            let asked = ask(.companion, fallback: fallback)
            try terminal.wait(for: "press Enter: ")
            terminal.type(typed + "\n")
            #expect(try asked.answer() == heard)
            expectAsBefore()
        }
    }

    @Test(arguments: [Prompt.Ending.systemCanceled, .appCanceled, .timedOut, .answered])
    func aPromptThatIsOverIsAskedNoMore(_ ending: Prompt.Ending) throws {
        let asked = ask(.passcode, fallback: true)
        try terminal.wait(for: "Passcode: ")
        terminal.type("secret-half")
        #expect(asked.isWaiting)
        asked.prompt.end(ending)
        try terminal.wait(for: "(")
        // A user who is typing notices a moment later.
        terminal.type("secret-rest\n")
        #expect(try asked.answer() == .cancel)
        if ending == .systemCanceled { #expect(terminal.text.contains("(The device was locked.)")) }
        expectAsBefore()
        // The half line must not reach the next reader.
        terminal.type("next\n")
        #expect(try terminal.nextLine() == "next\n")
        terminal.catchUp()
        #expect(!terminal.text.contains("secret"))
    }

    @Test func aPromptThatIsOverBeforehandIsNotShown() throws {
        let prompt = Prompt(PromptContent(.passcode))
        prompt.end(.systemCanceled)
        #expect(Heard(user.answer(prompt)) == .cancel)
        user.standBy(prompt)
        terminal.catchUp()
        #expect(terminal.shown.isEmpty)
    }

    @Test func theEndOfTheTerminalDismisses() throws {
        let asked = ask(.passcode, fallback: true)
        try terminal.wait(for: "Passcode: ")
        terminal.hangUp()
        #expect(try asked.answer() == .cancel)
    }

    @Test func outputThatIsHeldUpDoesNotHoldUpTheEnd() throws {
        terminal.holdUp(true)
        let asked = ask(.passcode)
        #expect(asked.isWaiting)
        asked.prompt.end(.timedOut)
        #expect(try asked.answer() == .cancel)
        terminal.holdUp(false)
        expectAsBefore()
    }

    @Test func twoPromptsTakeTurns() throws {
        let first = ask(.passcode)
        try terminal.wait(for: "Passcode: ")
        let second = ask(.applicationPassword)
        let third = ask(.companion)
        #expect(second.isWaiting)
        terminal.catchUp()
        #expect(!terminal.text.contains("own password"))
        // A prompt that waits for its turn gives up when it ends.
        third.prompt.end(.appCanceled)
        #expect(try third.answer() == .cancel)
        terminal.type("1234\n")
        #expect(try first.answer() == .typed(Array("1234".utf8)))
        try terminal.wait(for: "Application password: ")
        terminal.type("word\n")
        #expect(try second.answer() == .typed(Array("word".utf8)))
        #expect(!terminal.text.contains("companion"))
        expectAsBefore()
    }

    @Test func whatIsNoTerminalDismisses() throws {
        for path in ["/dev/null", "/nonexistent/tty"] {
            let user = TerminalUser(path: path)
            #expect(Heard(user.answer(Prompt(PromptContent(.passcode, offersFallback: true)))) == .cancel)
            #expect(throws: TerminalError.self) { try user.check() }
        }
        #expect("\(TerminalError.noTerminal(path: "/dev/null"))".contains("/dev/null is not a terminal"))
    }
}
