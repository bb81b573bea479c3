import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// The order of decisions and prompts: every step with every result, and properties of a whole negotiation.
@Suite struct NegotiationTests {
    static let granted = decide(Request(.delete, item(1)), under: conditions)
    static let denied = Decision.denied(Denial(.itemNotFound))
    static let lacksOwnPassword = Decision.denied(Denial(.passwordMissing, ways: Ways([.applicationPassword])))
    static let asksForEither = Decision.challenge(Ways([.biometry], [.passcode]))
    static let asksForBoth = Decision.challenge(Ways([.biometry, .applicationPassword]))
    static let asksForPasscode = Decision.challenge(Ways([.passcode]))
    static let asksForPassword = Decision.challenge(Ways([.applicationPassword]))
    static let conditions = Cast.device().conditions()
    static let ending = Denial(.sheetCanceled, under: conditions)

    static func item(_ number: UInt64) -> Item {
        var item = Item(Cast.control([.biometryAny, .applicationPassword]))
        item.id = ItemID(rawValue: number)
        return item
    }

    static var conditionsWithoutPermission: Conditions {
        var conditions = conditions
        conditions.biometry = .notYetPermitted
        return conditions
    }

    // MARK: - Every step with every result

    /// A state of a negotiation.
    enum Place: CaseIterable {
        case deciding, tryingBeforeAsking, tryingAtPrompt, askingPermission, askingBiometry, askingPasscode
        case answering, ended

        var negotiation: Negotiation {
            var negotiation = Negotiation(sensor: .touchID)
            switch self {
            case .deciding: break
            case .tryingBeforeAsking: Result.lacksOwnPassword.apply(to: &negotiation)
            case .tryingAtPrompt:
                negotiation.record(asksForBoth)
                negotiation.record(.authenticated)
            case .askingPermission: Result.asksPermission.apply(to: &negotiation)
            case .askingBiometry: Result.asksForEither.apply(to: &negotiation)
            case .askingPasscode: negotiation.record(asksForPasscode)
            case .answering: Result.granted.apply(to: &negotiation)
            case .ended:
                negotiation.record(asksForPasscode)
                negotiation.record(.ended(.sheetCanceled))
            }
            return negotiation
        }
    }

    /// A result that can be recorded.
    enum Result: CaseIterable {
        case granted, denied, lacksOwnPassword, asksForEither, asksPermission
        case ownIsRight, ownIsWrong, ownIsAbsent
        case permissionAnswered, permissionEnded
        case authenticated, wrong, unavailable, fallback, ended
        case failed, withdrawn

        func apply(to negotiation: inout Negotiation) {
            switch self {
            case .granted: negotiation.record(NegotiationTests.granted)
            case .denied: negotiation.record(NegotiationTests.denied)
            case .lacksOwnPassword: negotiation.record(NegotiationTests.lacksOwnPassword)
            case .asksForEither: negotiation.record(NegotiationTests.asksForEither)
            case .asksPermission:
                negotiation.record(
                    NegotiationTests.asksForEither, under: NegotiationTests.conditionsWithoutPermission)
            case .ownIsRight: negotiation.record(ownPassword: .authenticated)
            case .ownIsWrong: negotiation.record(ownPassword: .wrong)
            case .ownIsAbsent: negotiation.record(ownPassword: .none)
            case .permissionAnswered: negotiation.record(permission: .answered)
            case .permissionEnded: negotiation.record(permission: .ended(.sheetSystemCanceled))
            case .authenticated: negotiation.record(.authenticated)
            case .wrong: negotiation.record(.wrong)
            case .unavailable: negotiation.record(.unavailable(.sheetHitLockout))
            case .fallback: negotiation.record(.fallback)
            case .ended: negotiation.record(.ended(.sheetAppCanceled))
            case .failed: negotiation.fail(ending)
            case .withdrawn: negotiation.withdraw()
            }
        }
    }

    /// The next step after each result that the present step asked for.
    static let table: [Place: [Result: Negotiation.Step]] = [
        .deciding: [
            .granted: .answer(granted), .denied: .answer(denied), .lacksOwnPassword: .tryOwnPassword,
            .asksForEither: .ask(.biometry), .asksPermission: .askPermission,
        ],
        .tryingBeforeAsking: [
            .ownIsRight: .decide, .ownIsWrong: .decide, .ownIsAbsent: .answer(lacksOwnPassword),
        ],
        .tryingAtPrompt: [
            .ownIsRight: .decide, .ownIsWrong: .ask(.applicationPassword), .ownIsAbsent: .ask(.applicationPassword),
            .withdrawn: .decide,
        ],
        .askingPermission: [
            .permissionAnswered: .decide, .permissionEnded: .over(.sheetSystemCanceled), .withdrawn: .decide,
        ],
        // The prompt for Touch ID has no fallback before the first failed match.
        .askingBiometry: [
            .authenticated: .decide, .wrong: .ask(.biometry), .unavailable: .ask(.passcode),
            .fallback: .over(.sheetCanceled), .ended: .over(.sheetAppCanceled), .withdrawn: .decide,
        ],
        .askingPasscode: [
            .authenticated: .decide, .wrong: .ask(.passcode), .unavailable: .over(.sheetHitLockout),
            .fallback: .over(.sheetCanceled), .ended: .over(.sheetAppCanceled), .withdrawn: .decide,
        ],
        .answering: [:],
        .ended: [.failed: .answer(.denied(ending))],
    ]

    @Test(arguments: Place.allCases, Result.allCases)
    func aResultThatNoStepAskedForChangesNothing(_ place: Place, _ result: Result) throws {
        let before = place.negotiation
        var after = before
        result.apply(to: &after)
        if let step = try #require(Self.table[place])[result] {
            #expect(after.step == step)
            #expect(after != before)
        } else {
            #expect(after == before)
        }
    }

    // MARK: - Rounds

    /// A round of prompts that ends without an answer.
    enum Round: CaseIterable { case authenticated, settled, withdrawn }

    @Test(arguments: Round.allCases) func theTwentyFirstRoundIsTheEnd(_ round: Round) {
        var negotiation = Negotiation(sensor: .faceID)
        for _ in 0..<Int(Negotiation.mostRounds) {
            switch round {
            case .authenticated:
                negotiation.record(Self.asksForPasscode)
                negotiation.record(.authenticated)
            case .settled:
                negotiation.record(Self.asksForEither, under: Self.conditionsWithoutPermission)
                negotiation.record(permission: .answered)
            case .withdrawn:
                negotiation.record(Self.asksForPasscode)
                negotiation.withdraw()
            }
            #expect(negotiation.step == .decide)
        }
        var last = negotiation
        last.record(Self.granted)
        #expect(last.step == .answer(Self.granted), "what needs no prompt is answered")
        negotiation.record(Self.asksForPasscode)
        #expect(negotiation.step == .over(.sheetFailed))
        negotiation.fail(Denial(.sheetFailed))
        #expect(negotiation.step == .answer(.denied(Denial(.sheetFailed))))
    }

    @Test func whateverIsAnsweredThereIsAnEnd() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let sensor = random.pick(SensorKind.allCases)
            var negotiation = Negotiation(
                sensor: sensor, hidesFallback: random.once(in: 2), isFallbackImmediate: random.once(in: 2))
            var steps = 0
            while !negotiation.isAnswered && steps < 1000 {
                steps += 1
                Self.answer(&negotiation, &random)
            }
            #expect(negotiation.isAnswered, "seed \(seed)")
        }
    }

    private static func answer(_ negotiation: inout Negotiation, _ random: inout SeededGenerator) {
        switch negotiation.step {
        case .decide:
            let decision = random.pick([lacksOwnPassword, asksForEither, asksForBoth, asksForPasscode, asksForPassword])
            negotiation.record(
                decision, under: random.once(in: 3) ? conditionsWithoutPermission : conditions)
        case .tryOwnPassword: negotiation.record(ownPassword: random.pick(Negotiation.OwnPassword.allCases))
        case .askPermission: negotiation.record(permission: .answered)
        case .ask:
            if random.once(in: 10) { return negotiation.withdraw() }
            negotiation.record(
                random.pick([.authenticated, .authenticated, .wrong, .unavailable(.companionNotNear), .fallback]))
        case .over(let rule): negotiation.fail(Denial(rule))
        case .answer: break
        }
    }

    // MARK: - The fallback

    @Test func aFallbackIsTakenOnlyWhereItIsOffered() {
        var touch = Negotiation(sensor: .touchID)
        touch.record(Self.asksForEither)
        #expect(touch.wayOut == .afterMisses)
        touch.record(.wrong)
        #expect(touch.wayOut == .offered)
        touch.record(.fallback)
        #expect(touch.step == .ask(.passcode))
        #expect(touch.wayOut == .none)

        var terminal = Negotiation(sensor: .touchID, isFallbackImmediate: true)
        terminal.record(Self.asksForEither)
        #expect(terminal.wayOut == .offered)
        terminal.record(.fallback)
        #expect(terminal.step == .ask(.passcode))

        var hidden = Negotiation(sensor: .touchID, hidesFallback: true, isFallbackImmediate: true)
        hidden.record(Self.asksForEither)
        #expect(hidden.wayOut == .none)
        hidden.record(.fallback)
        #expect(hidden.step == .over(.sheetCanceled))
    }

    @Test func aPolicyForBiometryAloneHasAFallbackThatEndsIt() {
        var negotiation = Negotiation(sensor: .touchID, isFallbackImmediate: true)
        let request = Request(proving: .biometry)
        negotiation.record(.challenge(Ways([.biometry])), on: request, under: Self.conditions)
        #expect(negotiation.wayOut == .offered)
        negotiation.record(.fallback)
        #expect(negotiation.step == .over(.sheetFallback))
    }

    @Test func afterTheLastMatchTheSensorTakesNoPart() {
        var negotiation = Negotiation(sensor: .faceID)
        #expect(!negotiation.acceptsMatch)
        negotiation.record(.challenge(Ways([.biometry])), on: Request(proving: .biometry), under: Self.conditions)
        #expect(negotiation.acceptsMatch)
        for _ in 0..<SensorKind.faceID.triesOnSheet { negotiation.record(.wrong) }
        #expect(negotiation.step == .ask(.biometry))
        #expect(!negotiation.acceptsMatch && negotiation.wayOut == .offered)
    }

    // MARK: - The own password

    @Test func theOwnPasswordIsTriedOnceForEachItemAndRound() {
        var negotiation = Negotiation(sensor: .touchID)
        negotiation.record(Self.asksForPassword)
        #expect(negotiation.step == .tryOwnPassword)
        negotiation.record(ownPassword: .wrong)
        // The password is tried again on another item.
        var other = negotiation
        other.record(Self.asksForPassword, on: Request(.readData, Self.item(2)), under: Self.conditions)
        #expect(other.step == .tryOwnPassword)
        #expect(other.item == ItemID(rawValue: 2))
        // On the same item the user is prompted. The supplied password is not tried again after wrong answers.
        negotiation.record(Self.asksForPassword)
        #expect(negotiation.step == .ask(.applicationPassword))
        negotiation.record(.wrong)
        #expect(negotiation.step == .ask(.applicationPassword))
        negotiation.record(.authenticated)
        // A context holds evidence for one item at a time, so the next round may need it for this item again.
        negotiation.record(Self.asksForPassword)
        #expect(negotiation.step == .tryOwnPassword)
    }

    @Test func withoutAnOwnPasswordItIsAskedForAtOnce() {
        var negotiation = Negotiation(sensor: .touchID)
        negotiation.record(Self.asksForPassword)
        negotiation.record(ownPassword: .none)
        #expect(negotiation.step == .ask(.applicationPassword))
        #expect(Array(negotiation.prompts) == [.applicationPassword])
    }

    @Test func aRightOwnPasswordNeedsNoPrompt() {
        var negotiation = Negotiation(sensor: .touchID)
        negotiation.record(Self.asksForBoth)
        negotiation.record(.authenticated)
        negotiation.record(ownPassword: .authenticated)
        #expect(negotiation.step == .decide)
        #expect(Array(negotiation.prompts) == [.biometry])
    }

    @Test func aPasswordThatIsChosenIsNotTried() {
        for request in [Request(.add, Self.item(1)), Request(meeting: Self.item(1).control, for: nil)] {
            var negotiation = Negotiation(sensor: .touchID)
            negotiation.record(Self.asksForPassword, on: request, under: Self.conditions)
            #expect(negotiation.passwordUse == .chosen)
            #expect(negotiation.step == .ask(.applicationPassword))
        }
    }

    @Test func whatAPasswordIsForFollowsFromTheRequest() {
        let control = Self.item(1).control
        for (request, use, item) in [
            (Request(.readData, Self.item(1)), Negotiation.PasswordUse.opens, 1),
            (Request(.checkDuplicate, Self.item(2)), .opens, 2),
            (Request(.add, Self.item(3)), .chosen, 3),
            (Request(meeting: control, for: nil), .chosen, 0),
            (Request(meeting: control, for: .readData), .unchecked, 0),
            (Request(proving: .presence), .unchecked, 0),
            (Request(.readData, missingFrom: .first), .unchecked, 0),
        ] as [(Request, Negotiation.PasswordUse, UInt64)] {
            var negotiation = Negotiation(sensor: .touchID)
            negotiation.record(Self.denied, on: request, under: Self.conditions)
            #expect(negotiation.passwordUse == use)
            #expect(negotiation.item == ItemID(rawValue: item))
        }
    }

    // MARK: - Permission, preflights, prompts, unlocking

    @Test func permissionIsAskedForBeforeAnythingIsShown() {
        var negotiation = Negotiation(sensor: .faceID)
        negotiation.record(Self.asksForBoth, under: Self.conditionsWithoutPermission)
        #expect(negotiation.step == .askPermission)
        #expect(negotiation.prompts.isEmpty)
        negotiation.record(permission: .answered)
        #expect(negotiation.step == .decide)
        // The app also asks for permission after its own password was of no use.
        var second = Negotiation(sensor: .faceID)
        let either = Decision.challenge(Ways([.biometry], [.applicationPassword]))
        second.record(either, under: Self.conditionsWithoutPermission)
        #expect(second.step == .tryOwnPassword)
        second.record(ownPassword: .none)
        #expect(second.step == .askPermission)
    }

    @Test func aPreflightIsAnsweredWithoutAPrompt() {
        let request = Request(.readData, Self.item(1), interaction: .preflight)
        var asked = Negotiation(sensor: .faceID)
        asked.record(Self.asksForBoth, on: request, under: Self.conditionsWithoutPermission)
        #expect(asked.step == .answer(Self.asksForBoth))
        // The app's own password needs no prompt, so a preflight tries it.
        var tried = Negotiation(sensor: .faceID)
        tried.record(Self.asksForPassword, on: request, under: Self.conditions)
        #expect(tried.step == .tryOwnPassword)
        tried.record(ownPassword: .wrong)
        tried.record(Self.asksForPassword, on: request, under: Self.conditions)
        #expect(tried.step == .answer(Self.asksForPassword))
    }

    @Test func promptsAndAttemptsAreCounted() {
        var negotiation = Negotiation(sensor: .touchID)
        negotiation.record(Self.asksForEither)
        #expect(negotiation.attempt == 1)
        negotiation.record(.wrong)
        #expect(negotiation.attempt == 2)
        negotiation.record(.fallback)
        #expect(negotiation.attempt == 1)
        negotiation.record(.authenticated)
        #expect(Array(negotiation.prompts) == [.biometry, .passcode])
        #expect(negotiation.prompts.indices.map(negotiation.prompts.ending) == [.failed, .authenticated])
        // The next round counts as another prompt, even for the same factor.
        negotiation.record(Self.asksForPasscode)
        #expect(negotiation.attempt == 1)
        #expect(Array(negotiation.prompts) == [.biometry, .passcode, .passcode])
    }

    @Test func unlockingAsksAtOnceAndThreeTimes() {
        var right = Negotiation(asking: Ways([.passcode]), sensor: .touchID)
        #expect(right.step == .ask(.passcode))
        #expect(right.wayOut == .none)
        right.record(.authenticated)
        #expect(right.step == .decide)
        var wrong = Negotiation(asking: Ways([.passcode]), sensor: .touchID)
        for attempt in 1...3 as ClosedRange<UInt8> {
            #expect(wrong.attempt == attempt)
            wrong.record(.wrong)
        }
        #expect(wrong.step == .over(.sheetFailed))
        #expect(Negotiation(asking: Ways(), sensor: .touchID).step == .over(.sheetFailed))
    }
}

extension Negotiation {
    /// Records a decision about reading the first item.
    fileprivate mutating func record(
        _ decision: Decision, under conditions: Conditions = NegotiationTests.conditions
    ) {
        record(decision, on: Request(.readData, NegotiationTests.item(1)), under: conditions)
    }

    fileprivate var isAnswered: Bool { if case .answer = step { true } else { false } }
}
