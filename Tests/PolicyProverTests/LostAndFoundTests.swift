import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// What is easily said wrongly of claims that speak of more than one person, or of more than one request.
@Suite struct LostAndFoundTests {
    static func answer(
        _ flags: AccessControlFlags, _ statement: Claim.Statement, items: Int = 1, reuse: TimeSpan = .zero
    ) async throws -> (answer: Verdict.Answer, steps: Int?) {
        let control = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: flags)
        var scene = try Scene(storing: Array(repeating: Item(control), count: items))
        scene.reuse = reuse
        let verdict = await Prover(scene).prove(Claim(statement))
        return (verdict.answer, verdict.story?.steps.count)
    }

    /// Owners can erase their device, and that is no attack of somebody who cannot.
    @Test func whatOwnersSpoilThemselvesIsNoAttack() async throws {
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: .borrower)
        #expect(try await Self.answer(.userPresence, claim).answer == .holds)
    }

    @Test func whoOnlyHasABackupKeepsNobodyOut() async throws {
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: .backupThief)
        #expect(try await Self.answer(.userPresence, claim).answer == .holds)
    }

    /// Five minutes are not the owner's, who has to wait for longer than what is left of them.
    @Test func theOwnersTimeIsTheirOwn() async throws {
        let guesser = Profile(
            name: "guesser", summary: "somebody with five minutes", holds: .locked, can: [.guess, .wait],
            time: .minutes(5))
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: guesser)
        #expect(try await Self.answer(.devicePasscode, claim).answer == .holds)
    }

    @Test func theOwnerPairsTheirCompanionAgain() async throws {
        let rival = Profile(
            name: "rival", summary: "somebody who knows the passcode and pairs a watch", knows: [.passcode],
            carries: [.ownCompanion], holds: .locked, can: [.pair])
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: rival)
        #expect(try await Self.answer(.companion, claim).answer == .holds)
    }

    /// An item that somebody stores in the place of another is not the one that was to be kept from them.
    @Test func whatIsStoredInItsPlaceIsNotTheSecret() async throws {
        var thief = Profile.passcodeThief
        thief.can.insert(.replaceItem)
        #expect(
            try await Self.answer(.biometryCurrentSet, .never(.read, against: thief), items: 2).answer == .holds)
    }

    /// Whoever waits a little longer than an unlock may be reused is asked, and still can be.
    @Test func waitingMakesAPromptWhereAnUnlockWasReused() async throws {
        let waiter = Profile(
            name: "waiter", summary: "an owner who does nothing but wait", carries: [.ownersFinger], holds: .unlocked,
            can: [.wait])
        let patient = Claim.Statement.atMostPrompts(0, for: [.readData], by: waiter)
        let found = try await Self.answer(.biometryAny, patient, reuse: .minutes(1))
        #expect(found.answer == .fails)
        #expect(found.steps == 2)
        var hasty = waiter
        hasty.can.remove(.wait)
        let claim = Claim.Statement.atMostPrompts(0, for: [.readData], by: hasty)
        #expect(try await Self.answer(.biometryAny, claim, reuse: .minutes(1)).answer == .holds)
    }
}
