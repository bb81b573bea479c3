import AccessPolicy
import AgentProtocol
import Testing
import UserPresence

/// The words of requests in prompts at another terminal.
@Suite struct PurposeTests {
    private static let look = purpose(StatusCall())

    private static func purpose(_ request: any AgentCall, usual: ItemPolicy = .usual) -> RequestPurpose {
        request.purpose(usual: usual)
    }

    @Test func everyRequestThatPromptsSaysItsPurpose() {
        for request in MessageTests.requests {
            let purpose = Self.purpose(request)
            #expect(purpose.words.first?.isLowercase == true && purpose.words.count <= 60, "\(request)")
            if purpose.hasReasonOfClient { #expect(purpose.words != Self.look.words, "\(request)") }
        }
        let prompting: [any AgentCall] = [
            ChangePasscodeCall(), RecoverCall(), CheckRecoveryKeyCall(), ReplaceRecoveryKeyCall(), BackUpCall("/b"),
            ImportBackupCall("/b"),
            TransferCall("/t", isKept: false), EnrollCall("f"), RemoveEnrolledCall("f"), ResetSensorCall(),
            SettingsCall(SettingChanges()), LogSettingsCall(SettingChanges(.log)),
        ]
        let purposes = prompting.map { Self.purpose($0) }
        #expect(Set(purposes.map(\.words)).count == prompting.count)
        // The agent gives its own reason to the prompts of these.
        #expect(purposes.allSatisfy { !$0.hasReasonOfClient && $0.words != Self.look.words })
    }

    @Test func aNewAccessPolicyIsNoEdit() {
        let open = ItemPolicy(.whenUnlocked, [])
        let change = Self.purpose(ChangeCall("a", ChangeCall.Changes(name: "b", policy: open)))
        #expect(change.words == "change the access policy of a secret")
        let note = "Its new access policy: \(Accessibility.whenUnlocked.name), without authentication."
        #expect(change.notes == [note, "New name: b"])
        #expect(Self.purpose(AddCall("a", nil, comment: nil, replaces: true), usual: open).notes == [note])
        #expect(Self.purpose(AddCall("a", nil, comment: nil, replaces: false), usual: open).notes == [])
        let asking = Self.purpose(ChangeCall("a", ChangeCall.Changes(policy: .usual)), usual: open).notes
        #expect(asking.count == 1 && asking[0].hasSuffix("userPresence, each time."), "\(asking)")
    }

    @Test func aFileHasItsPath() {
        #expect(Self.purpose(BackUpCall("/tmp/b")).notes == ["File: /tmp/b"])
        #expect(Self.purpose(TransferCall("/tmp/b c", isKept: true)).notes == ["File: '/tmp/b c'"])
    }

    @Test func whatNoTerminalShowsIsCut() {
        let long = String(repeating: "x", count: 100_000)
        var content = PromptContent(.passcode, reason: long, app: "a")
        content.secret = long
        content.notes = Array(repeating: long, count: 1000)
        let cut = content.cutToShown()
        #expect(cut.reason.count == 303 && cut.secret?.count == 303 && cut.app == "a")
        #expect(cut.notes.count == 8 && cut.notes.allSatisfy { $0.count == 303 })
        let short = PromptContent(.passcode, reason: "read a", app: "a")
        #expect(short.cutToShown() == short)
    }

    @Test func theNameOfAProgramClosesNoQuotationMarks() {
        #expect(Peer.Program.shortName("latchkey") == "latchkey")
        #expect(Peer.Program.shortName("a\" wants 'it'\n") == "a? wants ?it??")
        #expect(Peer.Program.shortName(String(repeating: "x", count: 99)).count == 43)
    }
}
