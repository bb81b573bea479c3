import AccessPolicy
import LatchkeyAgent
import Testing
import UserPresence

/// The words of requests in prompts at another terminal.
@Suite struct PurposeTests {
    @Test func everyRequestThatPromptsSaysItsPurpose() {
        for request in MessageTests.requests {
            #expect(request.purpose.first?.isLowercase == true && request.purpose.count <= 60, "\(request)")
            if request.usesReason { #expect(request.purpose != Request.status.purpose, "\(request)") }
        }
        let prompting: [Request] = [
            .changePasscode, .recover, .checkRecoveryKey, .replaceRecoveryKey, .backUp("/b"), .importBackup("/b"),
            .transfer("/t", isKept: false), .enroll("f"), .removeEnrolled("f"), .resetSensor,
            .settings(Request.SettingChanges()), .logSettings(Request.LogChanges()),
        ]
        #expect(Set(prompting.map(\.purpose)).count == prompting.count)
        // The agent gives its own reason to the prompts of these.
        #expect(prompting.allSatisfy { !$0.usesReason && $0.purpose != Request.status.purpose })
    }

    @Test func aNewAccessPolicyIsNoEdit() {
        let open = ItemPolicy(.whenUnlocked, [])
        let change = Request.change("a", Request.Changes(name: "b", policy: open))
        #expect(change.purpose == "change the access policy of a secret")
        let note = "Its new access policy: \(Accessibility.whenUnlocked.name), without authentication."
        #expect(change.notes(usual: .usual) == [note, "New name: b"])
        #expect(Request.add("a", nil, comment: nil, replaces: true).notes(usual: open) == [note])
        #expect(Request.add("a", nil, comment: nil, replaces: false).notes(usual: open) == [])
        let asking = Request.change("a", Request.Changes(policy: .usual)).notes(usual: open)
        #expect(asking.count == 1 && asking[0].hasSuffix("userPresence, each time."), "\(asking)")
    }

    @Test func aFileHasItsPath() {
        #expect(Request.backUp("/tmp/b").notes(usual: .usual) == ["File: /tmp/b"])
        #expect(Request.transfer("/tmp/b c", isKept: true).notes(usual: .usual) == ["File: '/tmp/b c'"])
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
