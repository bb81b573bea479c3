import Foundation
import TestSupport
import Testing
import UserPresence

/// The prompts and messages of modules.
@Suite struct PAMPromptTests {
    @Test(arguments: ["echo-on", "twice", "together", "many", "none", "radio", "binary", "unknown"])
    func whatIsNotOnePasscodeIsNotAnswered(_ kind: String) throws {
        let stack = try PAMStack()
        let record = stack.path("record")
        // This holds even if the module accepts the answer.
        for arguments in [[], ["content"]] {
            try stack.play(["prompt=\(kind)", "record=\(record)"] + arguments)
            #expect(try stack.verdict() == .unavailable(.unexpectedPrompt))
        }
        let codes = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(codes == ["\(Code.conversationError)", "\(Code.conversationError)"])
    }

    @Test func twoModulesDoNotBothGetThePasscode() throws {
        let stack = try PAMStack()
        try stack.write([
            "auth required \(stack.module) passdb=\(stack.passcodes)",
            "auth required \(stack.module) prompt=told content",
            "account required \(stack.module)",
        ])
        #expect(try stack.verdict() == .unavailable(.unexpectedPrompt))
    }

    @Test func theAccountIsNoOccasionForAQuestion() throws {
        #expect(try PAMStack(["account-prompt=radio"]).verdict() == .unavailable(.unexpectedPrompt))
        #expect(try PAMStack(["account-prompt=twice"]).verdict() == .unavailable(.unexpectedPrompt))
    }

    @Test func messagesAroundTheQuestionAreRelayed() throws {
        let result = try PAMStack(["prompt=told", "info=Touch the key"]).authenticate("anything")
        #expect(result.verdict == .accepted)
        #expect(result.notes == ["Touch the key", "What is it?", "What is it?"])
    }

    @Test func messagesComeWithARefusalToo() throws {
        let result = try PAMStack(["info=Two tries are left"]).authenticate("wrong")
        #expect(result.verdict == .wrong)
        #expect(result.notes == ["Two tries are left"])
    }

    @Test func messagesAreCutAndSteerNoTerminal() throws {
        let flood = try PAMStack(["flood=100"]).authenticate("correct horse")
        #expect(flood.verdict == .accepted)
        #expect(flood.notes == Array(repeating: "?[2J?" + String(repeating: "x", count: 195) + "...", count: 8))

        let turned = try PAMStack(["info=a\u{202E}b\u{85}c\u{1B}[31md\u{2028}e\u{7F}é"]).authenticate("correct horse")
        #expect(turned.notes == ["ab c?[31md e?é"])
        #expect(try PAMStack(["info=\u{200B}\n\u{202E}"]).authenticate("correct horse").notes == [])
    }
}
