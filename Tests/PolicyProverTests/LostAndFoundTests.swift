import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Cases that are easy to get wrong in claims about several people or several requests.
@Suite struct LostAndFoundTests {
    static func answer(
        _ flags: AccessControlFlags, _ statement: Claim.Statement, items: Int = 1, reuse: TimeSpan = .zero,
        assuming assumes: Assumptions.Stated = .init()
    ) async throws -> (answer: Verdict.Answer, steps: Int?) {
        let control = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: flags)
        var scene = try Scene(storing: Array(repeating: Item(control), count: items))
        scene.reuse = reuse
        let verdict = await Prover(scene).prove(Claim(statement, assuming: assumes))
        return (verdict.answer, verdict.story?.steps.count)
    }

    /// Owners can erase their device. An attacker who cannot does not profit from it.
    @Test func whatOwnersSpoilThemselvesIsNoAttack() async throws {
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: .borrower)
        #expect(try await Self.answer(.userPresence, claim, assuming: .init(deletes: false)).answer == .holds)
    }

    @Test func whoOnlyHasABackupKeepsNobodyOut() async throws {
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: .backupThief)
        #expect(try await Self.answer(.userPresence, claim).answer == .holds)
    }

    /// The attacker's five minutes do not limit the owner, who has to wait for longer than that.
    @Test func theOwnersTimeIsTheirOwn() async throws {
        let guesser = Profile(
            name: "guesser", summary: "an attacker with five minutes", holds: .locked, can: [.guess, .wait],
            time: .minutes(5))
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: guesser)
        #expect(try await Self.answer(.devicePasscode, claim, assuming: .init(deletes: false)).answer == .holds)
    }

    /// A person with only five minutes does not wait for an hour, even if an attacker forces them to.
    @Test func anOwnerInAHurryIsKeptOutByADelay() async throws {
        var owner = Profile.owner
        owner.time = .minutes(5)
        let guesser = Profile(
            name: "guesser", summary: "an attacker who types passcodes", holds: .locked, can: [.guess, .wait])
        let claim = Claim.Statement.alwaysCan(.read, by: owner, against: guesser)
        #expect(try await Self.answer(.devicePasscode, claim, assuming: .init(deletes: false)).answer == .fails)
    }

    /// An app deletes on a locked device as well.
    @Test func whoDeletesOnALockedDeviceKeepsTheOwnerOut() async throws {
        let vandal = Profile(name: "vandal", summary: "an attacker who deletes", holds: .locked)
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: vandal)
        #expect(try await Self.answer(.userPresence, claim).answer == .fails)
    }

    /// A device that comes to an attacker unlocked is unlocked, however long its lock grace is.
    @Test(arguments: [TimeSpan.zero, .seconds(10), .hours(49), .hours(1000)])
    func whatComesUnlockedIsUnlocked(grace: TimeSpan) async throws {
        let control = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: [])
        let scene = try Scene(DeviceSettings(lockGrace: grace), storing: [Item(control)])
        let holder = Profile(name: "holder", summary: "a borrower of the device", holds: .unlocked)
        let verdict = await Prover(scene).prove(Claim(.never(.read, against: holder)))
        #expect(verdict.answer == .fails)
        var device = scene.world.device
        for event in scene.prelude(for: holder).events { #expect(device.apply(event).refusal == nil) }
    }

    /// Every event before the device comes to a person can happen.
    @Test(arguments: CompanionState.allCases, Hold.allCases)
    func nothingBeforeIsRefused(companion: CompanionState, hold: Hold) throws {
        let scene = try Scene(
            DeviceSettings(), hasPasscode: true, fingers: 1, companion: companion, apps: [NamedApp()], storing: [])
        let device = scene.world.device
        let person = Profile(name: "person", summary: "", holds: hold)
        for held in Assumptions.Held.allCases {
            var device = device
            for event in scene.prelude(for: person, assuming: Assumptions(held: held)).events {
                #expect(device.apply(event).refusal == nil, "\(event)")
            }
        }
    }

    /// A time limit longer than a year counts as none.
    @Test(arguments: [TimeSpan.hours(24 * 366), .hours(1_000_000), TimeSpan(milliseconds: .max)])
    func aLifetimeIsAsLongAsTheyLike(time: TimeSpan) async throws {
        var thief = Profile.passcodeThief
        thief.time = time
        let found = try await Self.answer(.biometryCurrentSet, .never(.read, against: thief))
        let unlimited = try await Self.answer(.biometryCurrentSet, .never(.read, against: .passcodeThief))
        #expect(found.answer == unlimited.answer && found.steps == unlimited.steps)
    }

    @Test func theOwnerPairsTheirCompanionAgain() async throws {
        let rival = Profile(
            name: "rival", summary: "an attacker who knows the passcode and pairs a watch", knows: [.passcode],
            carries: [.ownCompanion], holds: .locked, can: [.pair])
        let claim = Claim.Statement.alwaysCan(.read, by: .owner, against: rival)
        #expect(try await Self.answer(.companion, claim, assuming: .init(deletes: false)).answer == .holds)
    }

    /// An item that an attacker stores instead of another is not the owner's item.
    @Test func whatIsStoredInItsPlaceIsNotTheSecret() async throws {
        let claim = Claim.Statement.never(.read, against: .passcodeThief)
        #expect(try await Self.answer(.biometryCurrentSet, claim, items: 2).answer == .holds)
    }

    /// An attacker who enrolls another finger ends the use of a key that is bound to the set, although its row is still
    /// found.
    @Test func aKeyThatNobodyCanUseAnyMoreIsDestroyed() async throws {
        let enroller = Profile(
            name: "enroller", summary: "an attacker who adds a finger", knows: [.passcode], carries: [.ownFinger],
            holds: .unlocked, can: [.enroll])
        let control = try AccessControl(
            protection: .whenUnlockedThisDeviceOnly, flags: [.biometryCurrentSet, .privateKeyUsage])
        let scene = try Scene(storing: [Item(control, isKey: true)])
        func answer(_ statement: Claim.Statement) async -> Verdict {
            await Prover(scene).prove(Claim(statement, assuming: .init(deletes: false)))
        }
        for statement: Claim.Statement in [
            .never(.destroy, against: enroller), .alwaysCan(.use, by: .owner, against: enroller),
        ] {
            let verdict = await answer(statement)
            #expect(verdict.answer == .fails && verdict.story?.steps.count == 1, "\(statement)")
        }
        // It still has a row, so a query lists it.
        #expect(await answer(.never(.list, against: enroller)).answer == .fails)
        let lasting = try AccessControl(
            protection: .whenUnlockedThisDeviceOnly, flags: [.biometryAny, .privateKeyUsage])
        let kept = try Scene(storing: [Item(lasting, isKey: true)])
        let verdict = await Prover(kept).prove(
            Claim(.never(.destroy, against: enroller), assuming: .init(deletes: false)))
        #expect(verdict.answer == .holds)
    }

    @Test func anInvalidatedKeyIsOfNoUseInTheGraph() throws {
        let control = try AccessControl(
            protection: .whenUnlockedThisDeviceOnly, flags: [.biometryCurrentSet, .privateKeyUsage])
        let graph = Graph(
            try Scene(storing: [Item(control, isKey: true)]), by: .injuredOwner, to: .list,
            assuming: .init(deletes: false))
        let ended = graph.nodes.filter { $0.labels.contains("item there, unusable (key.invalidated)") }
        #expect(!ended.isEmpty && ended.allSatisfy { $0.isGone })
        #expect(ended.contains { $0.opens })
    }

    /// A context that the app keeps expires after ten minutes, if contexts live no longer.
    @Test func waitingMakesAPromptWhereAProofWasKept() async throws {
        let waiter = Profile(
            name: "waiter", summary: "an owner who does nothing but wait", carries: [.ownersFinger], holds: .unlocked,
            can: [.wait])
        func verdict(_ lifetime: Fidelity.ContextLifetime, _ profile: Profile) async throws -> Verdict {
            var fidelity = Fidelity()
            fidelity.contextLifetime = lifetime
            let control = try AccessControl(protection: .whenUnlocked, flags: .biometryAny)
            let scene = try Scene(DeviceSettings(fidelity: fidelity), storing: [Item(control)])
            return await Prover(scene).prove(
                Claim(.atMostPrompts(0, for: [.readData], by: profile), assuming: .init(contexts: .kept)))
        }
        let found = try await verdict(.tenMinutes, waiter)
        #expect(found.answer == .fails && found.story?.steps.count == 2)
        #expect(try await verdict(.untilInvalidated, waiter).answer == .holds)
        var hasty = waiter
        hasty.time = .minutes(5)
        #expect(try await verdict(.tenMinutes, hasty).answer == .holds)
    }

    /// A person who waits a little longer than an unlock may be reused gets a prompt, and can answer it.
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
