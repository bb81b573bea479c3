import AccessPolicy
import DeviceModel
import PolicyProver
import TestSupport
import Testing

/// An attacker who destroys an item locks its owner out in no more steps.
@Suite struct DeletionLawTests {
    /// Returns the violation of the law for one item, or nil if there is none.
    static func breach(_ scene: Scene, of item: Int = 0, _ attacker: Profile, _ stated: Assumptions.Stated) async
        -> String?
    {
        let prover = Prover(scene)
        let aim: Aim = scene.isKey(item) ? .use : .read
        let destroyed = await prover.prove(Claim(.never(.destroy, against: attacker), of: item, assuming: stated))
        guard destroyed.answer == .fails, let fewest = destroyed.story?.steps.count else { return nil }
        let claim = Claim(.alwaysCan(aim, by: .owner, against: attacker), of: item, assuming: stated)
        let kept = await prover.prove(claim)
        // If the owner has a backup, the attacker has to spoil it as well.
        if scene.world.hasBackup { return nil }
        if kept.answer == .fails, let steps = kept.story?.steps.count, steps <= fewest { return nil }
        return "\(attacker.name) destroys \(scene.world[scene.items[item]]?.item.control as Any) in \(fewest) steps, "
            + "and \(claim) \(kept.answer) in \(kept.story?.steps.count ?? -1), assuming \(Assumptions(stated))"
    }

    static let classes: [Accessibility] = OracleTests.isSoak ? Accessibility.allCases : [.whenUnlocked]
    static let worlds: [Assumptions.Stated] =
        OracleTests.isSoak ? Policies.worlds : [Assumptions.Stated(), Assumptions.Stated(deletes: false)]

    /// The day chooses a quarter of the items, another one for each attacker.
    @Test(arguments: Profile.all.indices, classes)
    func whoDestroysAnItemKeepsItsOwnerOut(_ place: Int, _ protection: Accessibility) async throws {
        let attacker = Profile.all[place]
        for (number, item) in try Policies.items(in: [protection]).enumerated()
        where DaySample.takes(number + place, oneIn: 4) {
            // An item that asks for authentication never travels, so a backup makes no difference to it.
            for isBackedUp in OracleTests.isSoak || !item.control.isProtected ? [false, true] : [false] {
                var scene = try Scene(storing: [item])
                if isBackedUp { scene.backUp() }
                for stated in Self.worlds {
                    if let breach = await Self.breach(scene, attacker, stated) { Issue.record("\(breach)") }
                }
            }
        }
    }

    @Test func theShortestAttackIsOneDelete() async throws {
        let item = Item(try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet))
        for attacker in [Profile.snatcher, .borrower, .lostPoweredOff, .watchThief] {
            let verdict = await Prover(try Scene(storing: [item])).prove(
                Claim(.alwaysCan(.read, by: .owner, against: attacker)))
            #expect(verdict.answer == .fails && verdict.assumptions == Assumptions())
            let steps = verdict.story?.steps.map(\.move.deed) ?? []
            #expect(
                try steps == [.request(.delete, #require(SlotID(rawValue: 0)), .first)], "\(attacker.name): \(steps)")
        }
    }

    @Test func anAppThatDeletesNothingKeepsTheItem() async throws {
        let item = Item(try AccessControl(protection: .whenUnlocked, flags: .userPresence))
        let claim = Claim(
            .alwaysCan(.read, by: .owner, against: .borrower), assuming: Assumptions.Stated(deletes: false))
        let verdict = await Prover(try Scene(storing: [item])).prove(claim)
        #expect(verdict.answer == .holds && !verdict.reliesOnBackup && !verdict.assumptions.deletes)
        let destroyed = await Prover(try Scene(storing: [item])).prove(
            Claim(.never(.destroy, against: .borrower), assuming: Assumptions.Stated(deletes: false)))
        #expect(destroyed.answer == .holds)
    }

    /// A new finger ends a key that is bound to the set. Its row stays, but the owner never uses it again.
    @Test func aKeyOfAFormerSetIsDestroyedThoughItsRowStays() async throws {
        let answers: [(flags: AccessControlFlags, answer: Verdict.Answer)] = [
            ([.biometryCurrentSet, .privateKeyUsage], .fails), ([.biometryAny, .privateKeyUsage], .holds),
        ]
        for (flags, answer) in answers {
            let key = Item(try AccessControl(protection: .whenUnlocked, flags: flags), isKey: true)
            let scene = try Scene(storing: [key])
            let claim = Claim(
                .never(.destroy, against: .injuredOwner), assuming: Assumptions.Stated(deletes: false))
            let verdict = await Prover(scene).prove(claim)
            #expect(verdict.answer == answer, "\(flags)")
        }
    }

    /// An owner with a backup restores the items that travel in it, and the verdict says that they rely on it.
    @Test func aBackupBringsBackWhatWasDeleted() async throws {
        var scene = try Scene(storing: [Item(AccessControl(.whenUnlocked))])
        let claim = Claim(.alwaysCan(.read, by: .owner, against: .borrower))
        #expect(await Prover(scene).prove(claim).answer == .fails)
        scene.backUp()
        let verdict = await Prover(scene).prove(claim)
        #expect(verdict.answer == .holds && verdict.reliesOnBackup)
        #expect(await Prover(scene).prove(Claim(.never(.destroy, against: .borrower))).answer == .fails)
        // An item that never travels is not in it.
        var guarded = try Scene(
            storing: [Item(try AccessControl(protection: .whenUnlocked, flags: .userPresence))])
        guarded.backUp()
        #expect(await Prover(guarded).prove(claim).answer == .fails)
    }

    /// The owner cannot restore a backup that a thief made on the way.
    @Test func aBackupOfTheThiefBringsNothingBack() async throws {
        let scene = try Scene(
            DeviceSettings(stolenDeviceProtection: true), storing: [Item(AccessControl(.alwaysThisDeviceOnly))])
        let stated = Assumptions.Stated(deletes: false)
        let destroyed = await Prover(scene).prove(
            Claim(.never(.destroy, against: .passcodeThief), assuming: stated))
        let kept = await Prover(scene).prove(
            Claim(.alwaysCan(.read, by: .owner, against: .passcodeThief), assuming: stated))
        #expect(destroyed.answer == .fails && kept.answer == .fails && !kept.reliesOnBackup)
        #expect(kept.story?.steps.count == destroyed.story?.steps.count)
        #expect(await Self.breach(scene, .passcodeThief, stated) == nil)
    }

    /// A copy on another device is not the owner's item.
    @Test(arguments: Accessibility.allCases) func aCopyElsewhereDestroysNothing(_ protection: Accessibility)
        async throws
    {
        let scene = try Scene(storing: [Item(AccessControl(protection))])
        for stated in Policies.worlds {
            for aim in [Aim.destroy, .overwrite] {
                let verdict = await Prover(scene).prove(Claim(.never(aim, against: .backupThief), assuming: stated))
                #expect(verdict.answer == .holds)
            }
        }
    }
}
