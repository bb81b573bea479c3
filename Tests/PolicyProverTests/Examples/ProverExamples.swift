import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// The examples in the documentation of the module. They stand here line by line, so that they compile and do what the
/// text says.
@Suite struct ProverExamples {
    @Test func theProverPrintsTheShortestAttack() throws {
        let control = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryAny)
        let prover = try Prover(Scene(storing: [Item(control)]))
        let verdict = prover.prove(Claim(.never(.read, against: .passcodeThief)))
        if let story = verdict.story {
            for step in story.steps { print(story.name(of: step), story.words(of: step)) }
        }
        // passcode-thief types the passcode
        // passcode-thief enrolls a finger of their own
        // passcode-thief has the app read the secret, authenticates with biometry

        let story = try #require(verdict.story)
        #expect(verdict.answer == .fails)
        #expect(
            story.steps.map { "\(story.name(of: $0)) \(story.words(of: $0))" } == [
                "passcode-thief types the passcode", "passcode-thief enrolls a finger of their own",
                "passcode-thief has the app read the secret, authenticates with biometry",
            ])
    }

    @Test func aSceneStoresItsItems() throws {
        let token = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryCurrentSet)
        let scene = try Scene(DeviceSettings(sensor: .faceID), storing: [Item(token)])

        #expect(scene.items.count == 1)
        #expect(scene.world[scene.items[0]]?.item.control == token)
    }

    @Test func aSuggestionListsThePoliciesThatAskLeast() throws {
        let claims: [Claim.Statement] = [
            .never(.read, against: .passcodeThief),
            .eventuallyCan(.read, by: .owner),
        ]
        let suggestion = Suggestion(for: claims, isKey: false)
        for candidate in suggestion.candidates { print(candidate.control.flags, candidate.burden.failures) }

        #expect(!suggestion.candidates.isEmpty)
        #expect(suggestion.clash.isEmpty)
    }

    /// The article that a newcomer reads first, from beginning to end.
    @Test func theArticleDoesWhatItSays() throws {
        let weak = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryAny)
        let scene = try Scene(DeviceSettings(sensor: .touchID), storing: [Item(weak)])

        let claim = Claim(.never(.read, against: .passcodeThief))
        let verdict = Prover(scene).prove(claim)

        if let story = verdict.story {
            print(story.beginning)
            for step in story.steps {
                print("\(story.name(of: step)) \(story.words(of: step)), because: \(step.reason.words)")
            }
        }
        #expect(verdict.answer == .fails)
        #expect(verdict.story?.steps.count == 3)

        let strong = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryCurrentSet)
        let prover = try Prover(Scene(DeviceSettings(sensor: .touchID), storing: [Item(strong)]))
        let proof = prover.prove(claim)
        print(proof.answer, proof.extent.situations)
        #expect(proof.answer == .holds)
        #expect(proof.extent.situations > 100)

        let nightGuard = Profile(
            name: "night-guard", summary: "a guard who knows the passcode and has five minutes",
            knows: [.passcode], carries: [.ownFinger], holds: .unlocked,
            can: [.enroll, .lock, .wait], time: .minutes(5))
        let night = prover.prove(Claim(.never(.read, against: nightGuard)))
        #expect(night.answer == .holds)

        let loan = Claim.Statement.alwaysCan(.read, by: .owner, against: .borrower)
        let withDeleting = prover.prove(Claim(loan))
        let withoutDeleting = prover.prove(Claim(loan, assuming: Assumptions.Stated(deletes: false)))
        #expect(withDeleting.answer == .fails)
        #expect(withDeleting.story?.steps.count == 1)
        #expect(withoutDeleting.answer == .holds)
    }
}
