import AccessPolicy
import TestSupport
import Testing

/// The effect and the lifetime of an authenticated context (semantics 6.5, 6.6), by cases that the enumeration of the
/// second evaluator does not contain.
@Suite struct ContextTests {
    let item: Item
    let conditions = Conditions(now: .start + .hours(1))

    init() throws {
        item = Item(
            try AccessControl(protection: .whenUnlocked, flags: .biometryAny), binding: Conditions().binding)
    }

    func read(_ context: Context, under conditions: Conditions) -> Decision {
        decide(Request(.readData, item, in: context), under: conditions)
    }

    func authenticated() -> Context {
        var context = Context()
        context.add(Evidence(.biometry, under: conditions))
        return context
    }

    @Test(arguments: [
        (Fidelity.ContextLifetime.untilInvalidated, TimeSpan.hours(20), true),
        (.tenMinutes, .minutes(10), true),
        (.tenMinutes, TimeSpan(milliseconds: 600_001), false),
        (.tenMinutes, TimeSpan(milliseconds: -1), false),
    ])
    func lifetimeIsAMatterOfFidelity(_ lifetime: Fidelity.ContextLifetime, _ age: TimeSpan, _ counts: Bool) {
        var later = conditions
        later.fidelity.contextLifetime = lifetime
        later.now = conditions.now + age
        #expect(read(authenticated(), under: later).isGranted == counts)
    }

    @Test(arguments: [
        (TimeSpan.zero, TimeSpan.zero, false), (.seconds(10), .seconds(10), true), (.seconds(10), .seconds(11), false),
        (.hours(1), .minutes(5), true), (.hours(1), TimeSpan(milliseconds: 300_001), false),
        (.hours(1), .seconds(-1), false),
    ])
    func reuseOfAnUnlockEndsAfterFiveMinutesAtMost(_ wanted: TimeSpan, _ age: TimeSpan, _ counts: Bool) {
        var unlocked = conditions
        unlocked.biometricUnlock = BiometricUnlock(
            at: conditions.now + TimeSpan(milliseconds: -age.milliseconds), domainState: conditions.domainState)
        var context = Context()
        context.reuse = wanted
        let decision = read(context, under: unlocked)
        #expect(decision.isGranted == counts)
        if case .granted(let grant) = decision { #expect(grant.reusesUnlock) }
    }

    @Test func anInvalidatedContextAnswersNothingNotEvenADelete() {
        var context = authenticated()
        context.isInvalidated = true
        #expect(read(context, under: conditions).denial?.rule == .contextInvalidated)
        #expect(
            decide(Request(.delete, item, in: context), under: conditions).denial?.rule == .contextInvalidated)
        #expect(
            decide(Request(proving: .presence, in: context), under: conditions).denial?.rule == .contextInvalidated)
    }

    @Test func aLaterLockoutDoesNotTouchWhatWasProved() {
        for biometry in BiometryState.allCases {
            var later = conditions
            later.biometry = biometry
            later.companion = .notPaired
            #expect(read(authenticated(), under: later).isGranted, "\(biometry)")
        }
    }

    @Test func aPasscodeDoesNotStandInForBiometry() {
        var context = Context()
        context.add(Evidence(.passcode, under: conditions))
        #expect(read(context, under: conditions) == .challenge(Ways([.biometry])))
    }

    @Test func anItemThatWasNeverStoredIsReleasedToNobody() {
        let unbound = Item(item.control)
        let decision = decide(Request(.readData, unbound, in: authenticated()), under: conditions)
        #expect(decision.denial?.rule == .itemUnbound)
    }

    @Test func anAccessControlOfNoItemIsBoundForOneEvaluation() throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        let asked = decide(Request(meeting: control, for: .readData), under: conditions)
        #expect(asked == .challenge(Ways([.biometry])))
        #expect(decide(Request(meeting: control, for: .readData, in: authenticated()), under: conditions).isGranted)
        #expect(decide(Request(meeting: control, for: nil), under: conditions).isGranted)
        var nobody = conditions
        nobody.biometry = .notEnrolled
        #expect(decide(Request(meeting: control, for: nil), under: nobody).denial?.rule == .biometryNotEnrolled)
        #expect(decide(Request(meeting: control, for: .sign), under: conditions).denial?.rule == .operationWithoutEntry)
    }

    @Test(arguments: [
        (AuthenticationPolicy.biometry, Ways([.biometry])),
        (.presence, Ways([.biometry], [.passcode])),
        (.companion, Ways([.companion])),
        (.biometryOrCompanion, Ways([.biometry], [.companion])),
    ])
    func policiesAskForWhatTheySay(_ policy: AuthenticationPolicy, _ ways: Ways) {
        var near = conditions
        near.companion = .ready
        #expect(decide(Request(proving: policy), under: near) == .challenge(ways))
    }

    // Semantics 6.3.
    @Test func preflightSaysWhatAnEvaluationWouldMeet() {
        func preflight(_ policy: AuthenticationPolicy, _ change: (inout Conditions) -> Void) -> Decision {
            var conditions = conditions
            change(&conditions)
            return decide(Request(proving: policy, interaction: .preflight), under: conditions)
        }
        #expect(preflight(.biometry) { $0.passcode = .notSet }.denial?.rule == .passcodeNotSet)
        #expect(preflight(.biometry) { $0.biometry = .lockedOut }.denial?.rule == .biometryLockedOut)
        #expect(preflight(.presence) { $0.biometry = .lockedOut } == .challenge(Ways([.passcode])))
        #expect(preflight(.presence) { $0.biometry = .notEnrolled } == .challenge(Ways([.passcode])))
        #expect(preflight(.presence) { $0.passcode = .notSet }.denial?.rule == .passcodeNotSet)
        #expect(preflight(.presence) { $0.isLocked = true } == .challenge(Ways([.biometry], [.passcode])))
    }

    @Test func whetherABoundItemMayAskToSyncIsAMatterOfFidelity() {
        for protection in Accessibility.allCases {
            for choice in Fidelity.BoundSynchronizable.allCases {
                var conditions = conditions
                conditions.fidelity.boundSynchronizable = choice
                let item = Item(AccessControl(protection), isSynchronizable: true)
                let rule = decide(Request(.add, item), under: conditions).denial?.rule
                let refused = choice == .refused && protection.isThisDeviceOnly
                #expect(rule == (refused ? .addSynchronizableThisDevice : nil))
            }
        }
    }

    @Test func decisionsReadAsWords() {
        var trace = Trace()
        let asked = decide(Request(.readData, item), under: conditions, into: &trace)
        #expect("\(asked)" == "asks for biometry")
        #expect("\(trace)" == "class.open → proof.needed")
        #expect("\(read(authenticated(), under: conditions))" == "granted by biometry")
        #expect("\(Ways([.biometry], [.companion, .passcode]))" == "biometry, or companion and passcode")
        var locked = conditions
        locked.openClasses = [.always]
        #expect("\(read(Context(), under: locked))" == "denied by class.locked (unlock the device)")
    }

    @Test func aTraceTellsOfOneDecision() {
        var trace = Trace()
        for _ in 0..<100 { _ = decide(Request(.readData, item), under: conditions, into: &trace) }
        #expect(Array(trace) == [.classOpen, .authenticationNeeded])
    }

    @Test func theObstacleOfTheFirstWayIsNamedUnlessThereIsAPasscodeToFallBackOn() {
        var conditions = conditions
        conditions.biometry = .lockedOut
        #expect(decide(Request(proving: .biometryOrCompanion), under: conditions).denial?.rule == .biometryLockedOut)
        conditions.passcode = .delayed
        #expect(decide(Request(proving: .presence), under: conditions).denial?.rule == .passcodeDelayed)
    }

    @Test func theTokenGroupIsReadByNameAndWrittenByNobody() {
        var token = item
        token.group = .token
        func rule(_ action: Action, named: Bool) -> Rule? {
            decide(Request(action, token, namesGroup: named), under: conditions).denial?.rule
        }
        #expect(rule(.readData, named: false) == .groupHidden)
        #expect(rule(.readData, named: true) == nil)
        for action in [Action.add, .update, .delete] { #expect(rule(action, named: true) == .groupTokenReadOnly) }
    }

    @Test func whatIsNotThereIsNotFoundUnlessTheCallerMayNotEvenLook() {
        func rule(_ action: Action, _ change: (inout Conditions) -> Void, named: Bool = false) -> Rule? {
            var conditions = conditions
            change(&conditions)
            return decide(Request(action, missingFrom: .first, namesGroup: named), under: conditions).denial?.rule
        }
        #expect(rule(.readData) { _ in } == .itemNotFound)
        #expect(rule(.delete) { $0.isLocked = true } == .itemNotFound)
        #expect(rule(.readData) { $0.groups = [] } == .groupNone)
        #expect(rule(.readData, { $0.groups = [.token] }, named: true) == .groupNamed)
    }

    @Test func lossIsForGoodAndOnlyWhenNoWayIsLeft() throws {
        var changed = conditions
        changed.domainState.epoch += 1
        func loss(_ flags: AccessControlFlags) throws -> Rule? {
            let control = try AccessControl(protection: .whenUnlocked, flags: flags)
            return AccessPolicy.invalidation(of: Item(control, binding: conditions.binding), under: changed)
        }
        #expect(try loss(.biometryCurrentSet) == .biometrySetChanged)
        #expect(try loss([.biometryCurrentSet, .devicePasscode]) == .biometrySetChanged)
        #expect(try loss([.biometryCurrentSet, .or, .devicePasscode]) == nil)
        #expect(try loss(.biometryAny) == nil)
        changed.domainState.sensor += 1
        #expect(try loss(.biometryAny) == .biometrySensorChanged)
        #expect(try loss(.userPresence) == nil)
    }

    /// An invalidated key still has its row, so it does not count as a missing item. It can never be used again.
    @Test func anInvalidatedKeyIsStillThere() throws {
        var changed = conditions
        changed.domainState.epoch += 1
        let control = try AccessControl(
            protection: .whenUnlocked, flags: [.biometryCurrentSet, .privateKeyUsage])
        let key = Item(control, binding: conditions.binding, isKey: true)
        #expect(invalidation(of: key, under: changed) == nil)
        #expect(lastingDenial(of: key, under: changed) == .keyInvalidated)
        #expect(lastingDenial(of: key, under: conditions) == nil)
        let token = Item(
            try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet), binding: conditions.binding)
        #expect(lastingDenial(of: token, under: changed) == .biometrySetChanged)
        // The key still exists, so storing it again without deleting it would be a duplicate.
        #expect(Rule.keyInvalidated.remedy == .replace && Rule.biometrySetChanged.remedy == .store)
    }

    @Test func travelInABackupFollowsTheTable() throws {
        for row in try FixtureTable("backups").rows {
            let protection = try #require(Accessibility(rawValue: row[0]))
            for (encrypted, columns) in [(false, row[1...2]), (true, row[3...4])] {
                let expected: Travel =
                    switch Array(columns) {
                    case ["yes", "yes"]: .anywhere
                    case ["yes", "no"]: .sameDevice
                    default: .never
                    }
                let plain = Item(AccessControl(protection))
                #expect(plain.travel(inEncryptedBackup: encrypted) == expected, "\(row)")
                for entry in try FlagCombinations().creatable {
                    let control = try entry.control(protection)
                    let travel = Item(control).travel(inEncryptedBackup: encrypted)
                    #expect(travel == (control.isProtected ? .never : expected), "\(control)")
                    #expect(Item(control, isKey: true).travel(inEncryptedBackup: encrypted) == .never)
                }
            }
        }
    }

    /// A transfer takes a match for exactly the items that no way without biometry opens.
    @Test func aTransferTakesAMatchForWhatNeedsOne() throws {
        for (flags, isNeeded) in [
            ([], false), (.userPresence, false), (.devicePasscode, false), (.companion, false),
            (.applicationPassword, false), (.biometryAny, true), (.biometryCurrentSet, true),
            ([.biometryAny, .or, .devicePasscode], false), ([.biometryAny, .and, .devicePasscode], true),
            ([.biometryCurrentSet, .or, .devicePasscode], false),
            ([.biometryCurrentSet, .and, .devicePasscode], true), ([.biometryAny, .applicationPassword], true),
            ([.biometryAny, .or, .companion], false), ([.privateKeyUsage], false),
            ([.privateKeyUsage, .biometryAny], true),
        ] as [(AccessControlFlags, Bool)] {
            let control = try AccessControl(protection: .whenUnlocked, flags: flags)
            for isKey in [false, true] {
                let factors = Item(control, isKey: isKey).factorsToTransfer()
                #expect(factors == (isNeeded ? [.passcode, .biometry] : [.passcode]), "\(flags)")
                let isBound = isNeeded && flags.contains(.biometryCurrentSet)
                #expect(Item(control, isKey: isKey).outlastsTransfer() == !isBound, "\(flags)")
            }
        }
    }
}
