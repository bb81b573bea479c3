import AccessPolicy
import Testing

/// The example in the documentation of `decide`, with checks that its answers are the ones that its comments name.
@Suite struct DecideExample {
    @Test func theExampleOfDecideAnswersAsItsCommentsSay() throws {
        let policy = try AccessControl(
            protection: .whenUnlockedThisDeviceOnly, flags: [.biometryCurrentSet, .or, .devicePasscode])
        let device = Conditions()
        let token = Item(policy, binding: device.binding)

        var context = Context()
        let first = decide(Request(.readData, token, in: context), under: device)
        // A challenge: prompt for biometry, and let the user fall back on the passcode.

        context.add(Evidence(.biometry, under: device))
        let second = decide(Request(.readData, token, in: context), under: device)
        // Granted: biometry alone satisfies the policy.

        var locked = device
        locked.isLocked = true
        locked.openClasses = [.always, .afterFirstUnlock]
        let third = decide(Request(.readData, token), under: locked)
        // Denied by class.locked. The remedy is to unlock the device.

        #expect(first == .challenge(Ways([.biometry], [.passcode])))
        #expect(second.isGranted && "\(second)" == "granted by biometry")
        #expect(third.denial?.rule == .classLocked && third.denial?.rule.remedy == .unlock)
    }
}
