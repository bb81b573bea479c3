import AccessPolicy
import LatchkeyAgent
import Testing

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
}
