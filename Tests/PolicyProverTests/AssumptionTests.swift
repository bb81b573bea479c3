import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Assumptions, and the verdicts that they change.
@Suite struct AssumptionTests {
    private func answer(
        _ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlockedThisDeviceOnly,
        on settings: DeviceSettings = DeviceSettings(), against attacker: Profile,
        assuming stated: Assumptions.Stated = .init(), reuse: TimeSpan = .zero
    ) async throws -> (answer: Verdict.Answer, steps: Int?) {
        let control =
            flags.isEmpty ? AccessControl(protection) : try AccessControl(protection: protection, flags: flags)
        var scene = try Scene(settings, storing: [Item(control)])
        scene.reuse = reuse
        let verdict = await Prover(scene).prove(Claim(.never(.read, against: attacker), assuming: stated))
        #expect(verdict.assumptions == Assumptions(stated, else: attacker.assumes))
        return (verdict.answer, verdict.story?.steps.count)
    }

    @Test func everyAssumptionIsStatedByItsWords() {
        for assumption in Assumption.allCases {
            #expect(assumption.word(in: Assumptions()) == assumption.words[0])
            for word in assumption.words {
                var stated = Assumptions.Stated()
                #expect(!assumption.isStated(in: stated))
                #expect(assumption.state(word, in: &stated) && assumption.isStated(in: stated))
                #expect(assumption.word(in: Assumptions(stated)) == word)
                for other in Assumption.allCases where other != assumption { #expect(!other.isStated(in: stated)) }
            }
            var stated = Assumptions.Stated()
            #expect(!assumption.state("perhaps", in: &stated) && stated == Assumptions.Stated())
        }
        #expect("\(Assumptions())" == "deletes: true, contexts: fresh, holds: long-locked")
        #expect(Mirror(reflecting: Assumptions()).children.count == Assumption.allCases.count)
        #expect(Mirror(reflecting: Assumptions.Stated()).children.count == Assumption.allCases.count)
    }

    @Test func everyWordOfAnAssumptionHasAMeaning() {
        let meanings = Assumption.allCases.flatMap { assumption in assumption.words.map { assumption.meaning(of: $0) } }
        #expect(meanings.allSatisfy { $0.statement.hasSuffix(".") && !$0.condition.contains(".") })
        #expect(meanings.allSatisfy { $0.statement.first?.isUppercase == true })
        #expect(meanings.allSatisfy { $0.condition.first?.isLowercase == true })
        #expect(Set(meanings.map(\.condition)).count == meanings.count)
        #expect(Set(meanings.map(\.statement)).count == meanings.count)
    }

    @Test func aClaimSaysMoreThanAProfileAndAProfileMoreThanNothing() {
        var profile = Profile.snatcher
        profile.assumes = Assumptions.Stated(deletes: false, contexts: .kept)
        let claim = Claim(.never(.read, against: profile), assuming: Assumptions.Stated(contexts: .fresh))
        #expect(claim.assumptions == Assumptions(deletes: false, contexts: .fresh, held: .longLocked))
    }

    /// An app that sets the password itself shows no prompt, so the lock screen stops no attacker.
    @Test func anApplicationPasswordThatTheAppBringsOpensOnALockedDevice() async throws {
        let insider = Policies.insider
        #expect(try await answer(.applicationPassword, .afterFirstUnlock, against: insider) == (.fails, 1))
        #expect(try await answer(.applicationPassword, .always, against: insider) == (.fails, 1))
        #expect(try await answer(.applicationPassword, against: insider) == (.holds, nil))
        #expect(
            try await answer(.applicationPassword, against: insider, assuming: .init(held: .justLocked)) == (.fails, 1))
        let both: AccessControlFlags = [.applicationPassword, .userPresence]
        #expect(try await answer(both, .afterFirstUnlock, against: insider) == (.holds, nil))
        var stranger = insider
        stranger.knows = []
        #expect(try await answer(.applicationPassword, .afterFirstUnlock, against: stranger) == (.holds, nil))
    }

    /// Factors that an app keeps and a password that it supplies go together.
    @Test func aKeptProofAndABroughtPasswordOpenTogether() async throws {
        let both: AccessControlFlags = [.applicationPassword, .userPresence]
        let justLocked = Assumptions.Stated(contexts: .kept, held: .justLocked)
        #expect(
            try await answer(both, .afterFirstUnlock, against: Policies.insider, assuming: justLocked) == (.fails, 1))
    }

    @Test(arguments: [TimeSpan.zero, .seconds(10), .hours(1)])
    func aDeviceThatWasJustLockedIsOpenForItsGrace(_ grace: TimeSpan) async throws {
        let settings = DeviceSettings(lockGrace: grace)
        let just = Assumptions.Stated(held: .justLocked)
        let expected: Verdict.Answer = grace == .zero ? .holds : .fails
        #expect(try await answer([], on: settings, against: .watchThief, assuming: just).answer == expected)
        #expect(try await answer([], on: settings, against: .watchThief).answer == .holds)
        // A locked screen reuses no unlock.
        let reused = try await answer(
            .biometryAny, on: settings, against: .watchThief, assuming: just, reuse: .minutes(5))
        #expect(reused.answer == .holds)
    }

    @Test func aKeptContextCountsUntilTheSessionEnds() async throws {
        let kept = Assumptions.Stated(contexts: .kept)
        for flags in [.biometryCurrentSet, .userPresence, [.biometryAny, .and, .companion]] as [AccessControlFlags] {
            #expect(try await answer(flags, against: .snatcher, assuming: kept) == (.fails, 1))
            #expect(try await answer(flags, against: .snatcher) == (.holds, nil))
            #expect(try await answer(flags, against: .watchThief, assuming: kept) == (.holds, nil))
            #expect(try await answer(flags, against: .maliciousApp, assuming: kept).answer == .holds)
        }
        // Ten minutes after the owner authenticated, the context ends if contexts end that way. The attacker is
        // quicker.
        var fidelity = Fidelity()
        fidelity.contextLifetime = .tenMinutes
        let short = DeviceSettings(fidelity: fidelity)
        #expect(try await answer(.biometryAny, on: short, against: .snatcher, assuming: kept) == (.fails, 1))
        // If the device forgets the session before it comes to the attacker, it forgets the context too.
        #expect(try await answer(.biometryAny, on: short, against: .lostPoweredOff, assuming: kept).answer == .holds)
    }

    /// An app that keeps its context shows one prompt for a whole workflow.
    @Test func aWorkflowInAKeptContextAsksOnce() async throws {
        let item = Item(try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .userPresence))
        let statement = Claim.Statement.atMostPrompts(1, for: [.readData, .readData], by: .owner)
        let prover = Prover(try Scene(storing: [item]))
        #expect(await prover.prove(Claim(statement)).answer == .fails)
        let kept = await prover.prove(Claim(statement, assuming: Assumptions.Stated(contexts: .kept)))
        #expect(kept.answer == .holds)
    }

    /// Each row of a table names its assumptions, and agrees with the claims that it stands for.
    @Test(arguments: Policies.worlds) func aCellIsItsClaim(_ stated: Assumptions.Stated) async throws {
        let flags: [AccessControlFlags] = [[], .userPresence, .biometryCurrentSet, [.companion, .applicationPassword]]
        for flags in flags {
            let control =
                flags.isEmpty
                ? AccessControl(.whenUnlocked) : try AccessControl(protection: .whenUnlocked, flags: flags)
            let scene = try Scene(storing: [Item(control)])
            let profiles = [Profile.owner, .passcodeThief, .snatcher, .watchThief, .backupThief, Policies.insider]
            let threats = Threats(scene, profiles: profiles, assuming: stated)
            for (row, profile) in profiles.enumerated() {
                #expect(threats.assumptions[row] == Assumptions(stated))
                for aim in Aim.ofItems where aim.isOpen(toKey: false) {
                    let claim = Claim(.never(aim, against: profile), assuming: stated)
                    let verdict = await Prover(scene).prove(claim)
                    let cell: Threats.Cell = verdict.story.map { .steps($0.steps.count) } ?? .never
                    #expect(threats.cell(row, aim) == cell, "\(profile.name) \(aim) \(control)")
                }
            }
        }
    }
}
