import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Answers that follow from the flags without any search.
@Suite struct KnownAnswerTests {
    static func scene(
        _ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlockedThisDeviceOnly
    ) throws -> Scene {
        let control = try AccessControl(protection: protection, flags: flags)
        return try Scene(storing: [Item(control, isKey: control.guardsKeyUse)])
    }

    @Test(
        arguments: [
            ([.biometryAny], 3), ([.userPresence], 2), ([.devicePasscode], 2),
            ([.biometryCurrentSet, .or, .devicePasscode], 2),
        ] as [(AccessControlFlags, Int)])
    func thePasscodeThiefReads(_ flags: AccessControlFlags, inSteps steps: Int) async throws {
        let verdict = await Prover(try Self.scene(flags)).prove(Claim(.never(.read, against: .passcodeThief)))
        #expect(verdict.answer == .fails)
        #expect(verdict.story?.steps.count == steps)
    }

    @Test(arguments: [[.biometryCurrentSet], [.biometryCurrentSet, .devicePasscode]] as [AccessControlFlags])
    func thePasscodeThiefNeverReads(_ flags: AccessControlFlags) async throws {
        let verdict = await Prover(try Self.scene(flags)).prove(Claim(.never(.read, against: .passcodeThief)))
        #expect(verdict.answer == .holds)
        #expect(verdict.extent.situations > 100)
    }

    @Test func theStoryOfANewFingerIsToldInWords() async throws {
        let verdict = await Prover(try Self.scene(.biometryAny)).prove(Claim(.never(.read, against: .passcodeThief)))
        let story = try #require(verdict.story)
        #expect(
            story.steps.map { story.words(of: $0) } == [
                "types the passcode", "enrolls a finger of their own",
                "has the app read the secret, authenticates with biometry",
            ])
    }
}
