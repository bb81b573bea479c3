import AccessPolicy
import DeviceModel
import PolicyProver
import TestSupport
import Testing

/// Claims about a device in an account. Each attack is played on the model's account with three devices, in which the prover's
/// forms of the account have no part.
@Suite struct AccountClaimsTests {
    /// A device with an item that syncs, or one that does not.
    static func scene(
        isShared: Bool = true, hasOtherDevice: Bool = true, class protection: Accessibility = .whenUnlocked
    )
        throws -> Scene
    {
        var item = Item(AccessControl(protection))
        item.isSynchronizable = isShared
        var scene = try Scene(storing: [item])
        scene.joinAccount(hasOtherDevice: hasOtherDevice)
        return scene
    }

    /// A claim with its answers for an item that syncs, the same item on an only device, and an item that does not sync.
    struct Row: Sendable, CustomTestStringConvertible {
        let statement: Claim.Statement
        let answers: (shared: Verdict.Answer, onOnlyDevice: Verdict.Answer, unshared: Verdict.Answer)
        var deletes = true
        var testDescription: String { Claim(statement).description + (deletes ? "" : ", deletes: false") }
    }

    /// Answers that follow from semantics 13.2 to 13.4.
    static let rows: [Row] = [
        // The account alone opens nothing.
        Row(statement: .never(.read, against: .stolenAccount), answers: (.holds, .holds, .holds)),
        Row(statement: .never(.readNext, against: .stolenAccount), answers: (.holds, .holds, .holds)),
        Row(statement: .never(.destroy, against: .stolenAccount), answers: (.holds, .holds, .holds)),
        Row(statement: .never(.overwrite, against: .stolenAccount), answers: (.holds, .holds, .holds)),
        // The passcode of any device of the circle does, for what syncs.
        Row(statement: .never(.read, against: .accountAndPasscode), answers: (.fails, .fails, .holds)),
        Row(statement: .never(.overwrite, against: .accountAndPasscode), answers: (.fails, .fails, .holds)),
        Row(statement: .never(.destroy, against: .accountAndPasscode), answers: (.fails, .fails, .holds)),
        Row(
            statement: .never(.destroy, against: .accountAndPasscode), answers: (.fails, .fails, .holds), deletes: false
        ),
        Row(statement: .never(.read, against: .accountAndOtherPasscode), answers: (.fails, .holds, .holds)),
        // An unlocked device reads by itself, and goes on to receive what its owner stores elsewhere.
        Row(statement: .never(.read, against: .snatcher), answers: (.fails, .fails, .fails)),
        Row(statement: .never(.readNext, against: .snatcher), answers: (.fails, .holds, .holds)),
        Row(statement: .never(.readNext, against: .lostPoweredOff), answers: (.holds, .holds, .holds)),
        // A removal ends that, unless the thief brought a device of their own into the circle before.
        Row(statement: .endsWithRemoval(against: .snatcher), answers: (.holds, .holds, .holds)),
        Row(statement: .endsWithRemoval(against: .passcodeThief), answers: (.holds, .holds, .holds)),
        Row(statement: .endsWithRemoval(against: .accountSnatcher), answers: (.fails, .holds, .holds)),
        Row(statement: .endsWithRemoval(against: .stolenAccount), answers: (.holds, .holds, .holds)),
        // A lost device loses nothing that syncs. A thief who can use it deletes what the app lets them delete.
        Row(statement: .eventuallyCan(.read, by: .newPhone), answers: (.holds, .holds, .fails)),
        Row(
            statement: .alwaysCan(.read, by: .newPhone, against: .lostPoweredOff), answers: (.holds, .holds, .fails),
            deletes: false),
        Row(statement: .alwaysCan(.read, by: .newPhone, against: .coercedFinger), answers: (.fails, .fails, .fails)),
        Row(
            statement: .alwaysCan(.read, by: .newPhone, against: .snatcher), answers: (.holds, .holds, .fails),
            deletes: false),
        Row(statement: .alwaysCan(.read, by: .newPhone, against: .snatcher), answers: (.fails, .fails, .fails)),
        Row(
            statement: .alwaysCan(.read, by: .newPhone, against: .stolenAccount), answers: (.holds, .fails, .fails)),
        Row(statement: .alwaysCan(.read, by: .owner, against: .stolenAccount), answers: (.holds, .holds, .holds)),
        Row(
            statement: .never(.destroy, against: .lostPoweredOff), answers: (.holds, .holds, .fails), deletes: false),
        Row(
            // On a device of their own they delete the item, whatever the app lets them do.
            statement: .never(.destroy, against: .accountSnatcher), answers: (.fails, .fails, .fails), deletes: false),
    ]

    /// A person who waits in vain for the next secret has an answer, and not a story.
    @Test func aSecretThatNeverArrivesIsWaitedForInVain() throws {
        for isShared in [true, false] {
            let claim = Claim(.alwaysCan(.readNext, by: .owner, against: .stolenAccount))
            #expect(Prover(try Self.scene(isShared: isShared)).prove(claim).answer == (isShared ? .holds : .fails))
        }
    }

    /// A thief without a device of their own signs in the one that they erased.
    @Test func everyThiefOfAnAccountHasADevice() throws {
        var heir = Profile.newOwner
        heir.knows.insert(.otherPasscode)
        #expect(Prover(try Self.scene()).prove(Claim(.never(.read, against: heir))).answer == .fails)
        var snatcher = Profile.snatcher
        snatcher.knows = [.appleAccount, .otherPasscode]
        #expect(Prover(try Self.scene()).prove(Claim(.endsWithRemoval(against: snatcher))).answer == .fails)
    }

    /// A device without a passcode leaves no record, and one whose passcode changes leaves another one.
    @Test func aRecordFollowsThePasscode() throws {
        var item = Item(AccessControl(.whenUnlocked))
        item.isSynchronizable = true
        var open = try Scene(DeviceSettings(), hasPasscode: false, storing: [item])
        open.joinAccount(otherHasPasscode: false)
        for thief in [Profile.accountAndPasscode, .accountAndOtherPasscode] {
            #expect(Prover(open).prove(Claim(.never(.read, against: thief))).answer == .holds)
        }
        let keeps = Claim(.alwaysCan(.read, by: .newPhone, against: .passcodeThief), assuming: .init(deletes: false))
        #expect(Prover(try Self.scene(hasOtherDevice: false)).prove(keeps).answer == .fails)
        #expect(Prover(try Self.scene()).prove(keeps).answer == .holds)
    }

    /// The limits of an app bind no attacker on a device of their own.
    @Test func anAttackerInstallsTheAppOnTheirDevice() throws {
        var app = Profile.maliciousApp
        app.knows.insert(.appleAccount)
        #expect(Prover(try Self.scene()).prove(Claim(.never(.read, against: app))).answer == .fails)
    }

    /// A device that no thief holds is locked.
    @Test func theDeviceStaysLocked() throws {
        let claim = Claim(
            .alwaysCan(.read, by: .backgroundApp, against: .stolenAccount), assuming: .init(deletes: false))
        #expect(Prover(try Self.scene()).prove(claim).answer == .fails)
    }

    @Test(arguments: rows) func answers(_ row: Row) throws {
        let assumed = Assumptions.Stated(deletes: row.deletes)
        let scenes = [
            try Self.scene(), try Self.scene(hasOtherDevice: false), try Self.scene(isShared: false),
        ]
        let expected = [row.answers.shared, row.answers.onOnlyDevice, row.answers.unshared]
        for (scene, answer) in zip(scenes, expected) {
            let verdict = Prover(scene).prove(Claim(row.statement, assuming: assumed))
            let story = verdict.story.map { story in story.steps.map { story.words(of: $0) } } ?? []
            #expect(verdict.answer == answer, "\(story)")
        }
    }

    @Test func theStoryOfAStolenAccountIsToldInWords() throws {
        let verdict = Prover(try Self.scene()).prove(Claim(.never(.read, against: .accountAndPasscode)))
        let story = try #require(verdict.story)
        #expect(
            story.steps.map { story.words(of: $0) } == [
                "signs in to the owner's account with a device of their own",
                "joins the circle with the passcode of the device",
                "lets the items of the account arrive on a device of their own", "has the app read the secret",
            ])
    }

    /// A device without an account keeps its answers: nothing of the account is in its search.
    @Test(arguments: [.stolenAccount, .accountAndPasscode, .newPhone] as [Profile])
    func withoutAnAccountNothingArrives(_ profile: Profile) throws {
        let scene = try Scene(storing: [Item(AccessControl(.whenUnlocked))])
        #expect(Prover(scene).prove(Claim(.never(.read, against: profile))).answer == .holds)
    }
}

// MARK: - Against the model's account

extension AccountClaimsTests {
    /// Plays a story on the account, and returns the first deviation; nil if there is none.
    static func play(_ story: Attack, hasOtherDevice: Bool, to aim: Aim) throws -> String? {
        var raw = try RawAccount(
            story.scene, hasOtherDevice: hasOtherDevice, for: story.people[0], assuming: story.assumptions)
        var device = 0
        var last: UInt32?
        for (number, step) in story.steps.enumerated() {
            let own = story.people[step.move.actor].isOwner ? 3 : 2
            switch step.move.deed {
            case .event(let event):
                if !raw.happen(event, on: device) { return "step \(number) does not happen" }
                raw.settle()
            case .request(let action, _, _):
                last = raw.ask(action, on: device)
                if last == nil { return "step \(number) is denied" }
                raw.settle()
            case .account(let move):
                if !raw.perform(move, own: own) { return "step \(number) is refused" }
                if move == .arrive { device = own }
            case .deletionOnOwn:
                if raw.ask(.delete, on: own) == nil { return "step \(number) is denied" }
                raw.settle()
            case .arrivalOfNext:
                if raw.ask(.update, on: 1, secret: RawAccount.next) == nil { return "the owner stores nothing" }
                raw.settle()
            case .file: return "step \(number) is about a file"
            }
        }
        // What waits on a locked device arrives with the next unlock.
        raw.happen(.passcodeEntered(.owners), on: 0)
        raw.settle()
        switch aim {
        case .read: return last == RawAccount.secret ? nil : "they read \(last as Any)"
        case .readNext: return last == RawAccount.next ? nil : "they read \(last as Any)"
        case .overwrite, .destroy: return raw.ownersSecretIsEverywhereGone ? nil : "the owner has the secret"
        case .use, .list, .readFile, .createFile, .appendFile: return "no story about this"
        }
    }

    @Test(arguments: rows) func everyStoryHappensInTheModel(_ row: Row) throws {
        guard let aim = row.statement.aim, row.statement.kind != .alwaysCan else { return }
        for hasOtherDevice in [true, false] {
            let scene = try Self.scene(hasOtherDevice: hasOtherDevice)
            let verdict = Prover(scene).prove(Claim(row.statement, assuming: Assumptions.Stated(deletes: row.deletes)))
            guard let story = verdict.story else { continue }
            #expect(try Self.play(story, hasOtherDevice: hasOtherDevice, to: aim) == nil)
        }
    }

    /// Random attackers on the account, who also guess, go offline, sign out, erase and let things move one by one. The day chooses
    /// the class of the item.
    @Test(
        arguments: Profile.ofAccounts.filter { !$0.isOwner } + [.snatcher, .lostPoweredOff, .passcodeThief],
        [true, false])
    func randomAttackersFindNothingThatTheProverMisses(_ profile: Profile, _ hasOtherDevice: Bool) throws {
        var random = SeededGenerator(seed: DaySample.seed ^ UInt64(profile.name.utf8.count) << 8)
        let assumed = Assumptions()
        for protection in DaySample.of([Accessibility.whenUnlocked, .afterFirstUnlock], oneIn: 2) {
            let scene = try Self.scene(hasOtherDevice: hasOtherDevice, class: protection)
            var isFound: [Aim: Bool] = [:]
            var reached: Set<Aim> = []
            for aim in [Aim.read, .readNext, .destroy, .overwrite] {
                isFound[aim] = Prover(scene).prove(Claim(.never(aim, against: profile))).answer != .holds
            }
            for walk in 0..<(Soak.steps.map { $0 / 1000 } ?? 300) {
                var thief = RawThief(
                    profile, try RawAccount(scene, hasOtherDevice: hasOtherDevice, for: profile, assuming: assumed))
                for _ in 0..<40 {
                    thief.move(&random)
                    if let aim = thief.reached { reached.insert(aim) }
                    if let aim = thief.reached, isFound[aim] != true {
                        Issue.record("walk \(walk): \(aim.rawValue) by \(thief.moves)")
                        return
                    }
                }
            }
            // Walks that reach nothing at all would test nothing.
            let reachable = isFound.filter { $0.value }.keys
            #expect(!reachable.isEmpty == !reached.isEmpty, "they reach \(reached) of \(reachable)")
        }
    }
}

/// A person of a profile who makes random moves in the account.
struct RawThief {
    let profile: Profile
    var raw: RawAccount
    var moves: [String] = []
    var reached: Aim?
    private var hasStoredNext = false

    init(_ profile: Profile, _ raw: RawAccount) { (self.profile, self.raw) = (profile, raw) }

    private var hasOwnPasscode = false

    /// True if they know the passcode of the record of the device at hand.
    private var knowsRecord: Bool {
        switch raw.synced.account.escrow(of: RawAccount.id(0))?.passcode {
        case 1: profile.knows.contains(.passcode)
        case 3: true
        default: false
        }
    }

    private var hasHand: Bool { profile.holds != .nothing && profile.holds != .backup }
    private var hasOwn: Bool { profile.carries.contains(.ownDevice) && profile.knows.contains(.appleAccount) }

    private enum Kind: CaseIterable {
        case account, guess, offline, signOut, leave, settle, deliver, eraseOwn, readOwn, deleteOwn, updateOwn,
            readHand, deleteHand
        case updateHand, unlock, passcode, lock, reboot, ownerStoresNext, switchSyncing
    }

    mutating func move(_ random: inout SeededGenerator) {
        let often: [Kind] = [.account, .account, .settle, .readOwn]
        guard let kind = (Bool.random(using: &random) ? Kind.allCases : often).randomElement(using: &random) else {
            return
        }
        let own = RawAccount.id(2)
        var said = "\(kind)"
        switch kind {
        case .account where hasOwn:
            var allowed: [AccountMove] = [.signIn, .resetCircle, .arrive]
            if knowsRecord { allowed.append(.joinByPasscode) }
            if profile.knows.contains(.otherPasscode) { allowed.append(.joinByOtherPasscode) }
            if hasHand && raw.isUnlocked(0) { allowed += [.joinBySponsor, .bringIn] }
            guard let move = allowed.randomElement(using: &random) else { return }
            said = "\(move)"
            _ = raw.perform(move, own: 2)
        case .guess where hasOwn:
            raw.apply(.joinedByPasscode(own, RawAccount.id(Int.random(in: 0...1, using: &random)), 1000), 2)
        case .offline:
            if hasHand { raw.apply(.networkChanged(RawAccount.id(0), isOffline: Bool.random(using: &random)), 0) }
        case .signOut where hasOwn: raw.apply(.signedOut(own), 2)
        case .leave where hasOwn: raw.apply(.leftCircle(own), 2)
        case .settle: raw.settle()
        case .deliver: raw.deliver(to: Int.random(in: 0...2, using: &random))
        case .eraseOwn where hasOwn: raw.happen(.erase, on: 2)
        case .switchSyncing where hasOwn: raw.apply(.syncSwitched(own, Bool.random(using: &random)), 2)
        case .readOwn where hasOwn: note(raw.ask(.readData, on: 2))
        case .deleteOwn where hasOwn: if raw.ask(.delete, on: 2) != nil { raw.settle(); noteLoss(.destroy) }
        case .updateOwn where hasOwn: if raw.ask(.update, on: 2) != nil { raw.settle(); noteLoss(.overwrite) }
        case .readHand where hasHand: note(raw.ask(.readData, on: 0))
        case .deleteHand where hasHand: if raw.ask(.delete, on: 0) != nil { raw.settle(); noteLoss(.destroy) }
        case .updateHand where hasHand: if raw.ask(.update, on: 0) != nil { raw.settle(); noteLoss(.overwrite) }
        case .unlock where hasHand && profile.knows.contains(.passcode):
            raw.happen(.passcodeEntered(hasOwnPasscode ? .attackers : .owners), on: 0)
        case .passcode where hasHand && profile.knows.contains(.passcode) && raw.isUnlocked(0):
            if raw.happen(.passcodeChanged(.attackers), on: 0) { hasOwnPasscode = true }
        case .lock where hasHand: raw.happen(.lock, on: 0)
        case .reboot where hasHand: raw.happen(.reboot, on: 0)
        case .ownerStoresNext: if raw.ask(.update, on: 1, secret: RawAccount.next) != nil { hasStoredNext = true }
        case .account, .guess, .signOut, .leave, .eraseOwn, .switchSyncing, .readOwn, .deleteOwn, .updateOwn, .readHand,
            .deleteHand, .updateHand, .unlock, .passcode, .lock, .reboot:
            return
        }
        moves.append(said)
    }

    private mutating func note(_ secret: UInt32?) {
        if secret == RawAccount.secret { reached = .read }
        if secret == RawAccount.next { reached = .readNext }
    }

    private mutating func noteLoss(_ aim: Aim) {
        if !hasStoredNext, raw.ownersSecretIsEverywhereGone { reached = aim }
    }
}
