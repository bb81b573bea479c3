import AccessPolicy
import ApplePlatform
import Testing

/// The examples in the article *Getting started* of the catalog, with checks that they do what the article says.
@Suite struct GettingStartedExample {
    @Test func theArticleAnswersAsItSays() throws {
        let policy = try AccessControl(
            protection: .whenPasscodeSetThisDeviceOnly, flags: [.biometryCurrentSet, .and, .devicePasscode])

        let device = Conditions()
        let new = Item(policy)
        let stored = decide(Request(.add, new), under: device)
        // Granted: storing shows no prompt, and the device has a passcode and biometry.

        var token = new
        token.binding = device.binding

        var context = Context()
        var answer = decide(Request(.readData, token, in: context), under: device)
        var prompts: [Factor] = []
        while case .challenge(let ways) = answer {
            for factor in ways[0] {
                prompts.append(factor)  // Show a prompt for the factor here, and check the answer.
                context.add(Evidence(factor, under: device))
            }
            answer = decide(Request(.readData, token, in: context), under: device)
        }
        // Granted after prompts for biometry and the passcode.

        var changed = device
        changed.domainState.epoch += 1
        var trace = Trace()
        let denied = decide(Request(.readData, token), under: changed, into: &trace)
        if let rule = denied.denial?.rule, let status = AppleStatus(rule, device.fidelity) {
            print("\(rule): \(rule.summary)")
            print("Next: \(rule.remedy.text)")
            print("An app gets \(status)")
        }

        #expect(stored.isGranted)
        #expect(prompts == [.biometry, .passcode] && answer.isGranted)
        let rule = try #require(denied.denial?.rule)
        #expect("\(rule): \(rule.summary)" == Self.printed[0])
        #expect("Next: \(rule.remedy.text)" == Self.printed[1])
        let status = try #require(AppleStatus(rule, device.fidelity))
        #expect("An app gets \(status)" == Self.printed[2])
        #expect(trace.first == .classOpen && trace.last == rule)
    }

    @Test func contradictoryFlagsAreRefusedAsItSays() {
        do {
            _ = try AccessControl(protection: .whenUnlocked, flags: [.userPresence, .or, .companion])
            Issue.record("these flags cannot be combined")
        } catch {
            #expect("\(error)" == Self.refused)
        }
    }

    /// The lines that the article shows as printed.
    static let printed = [
        "biometry.current-set.changed: a finger or face was added or removed since the item was stored",
        "Next: store the item, or store it again",
        "An app gets errSecItemNotFound (-25300)",
    ]

    /// The error that the article shows as printed.
    static let refused =
        "userPresence + companion + or is refused: "
        + "userPresence can be combined only with applicationPassword and privateKeyUsage (flags.presence-with-other)"
}
