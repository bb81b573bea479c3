import AccessPolicy
import DeviceModel
import LoanRules
import TestSupport
import Testing

@testable import LoanProver

/// The prover against random schedules, which a second evaluator of claims watches.
@Suite struct LoanLawTests {
    /// A record of what happened, from which claims are evaluated at the end.
    private struct Diary {
        enum Entry {
            case approved(at: Int64)
            case sent(at: Int64, belongs: Bool)
            case event(LoanEvent)
        }
        var entries: [Entry] = [.event(.start)]

        mutating func note(_ move: LoanMove, _ outcome: LoanWorld.Outcome, at now: Int64) {
            guard outcome != .refused else { return }
            switch move {
            case .request(let request, 0), .approval(let request, 0, _):
                if outcome == .approved { entries.append(.approved(at: now)) }
                if request != .unsent { entries.append(.sent(at: now, belongs: outcome == .belonged)) }
            case .end(0): entries.append(.event(.end))
            case .event(.lock): entries.append(.event(.lock))
            case .event(.enrolled), .event(.removed): entries.append(.event(.enroll))
            case .event(.passcodeChanged): entries.append(.event(.passcode))
            default: break
            }
        }

        func breaks(_ claim: LoanClaim.Statement) -> Bool {
            var approval: Int64?
            var uses = 0
            var isAfter = false
            for entry in entries {
                switch (entry, claim) {
                case (.approved(let time), _): (approval, uses, isAfter) = (time, 0, false)
                case (.event(let event), .never(let after)): isAfter = isAfter || event == after
                case (.event, _): break
                case (.sent, .never): if isAfter { return true }
                case (.sent(_, let belongs), .atMostUses(let most)):
                    uses += belongs ? 0 : 1
                    if uses > most { return true }
                case (.sent(let time, _), .endsWithin(let minutes)):
                    guard let approval, time <= approval + Int64(minutes) * 60_000 else { return true }
                }
            }
            return false
        }
    }

    private static let claims: [LoanClaim.Statement] =
        LoanEvent.allCases.map { .never(after: $0) } + (0...3).map { .atMostUses($0) }
        + [1, 2].map { .endsWithin(minutes: $0) }

    private static let terms = [LeaseTerms(uses: 2, minutes: 1), LeaseTerms(uses: nil, minutes: 2)]

    /// Random schedules break no claim that holds, and the story of each that fails breaks it.
    @Test(arguments: 0..<ClaimTests.rows.count) func schedulesBreakNoProof(_ number: Int) throws {
        let policy = try ClaimTests.rows[number].policy()
        for terms in Self.terms {
            let prover = try LoanProver(policy, terms)
            var held: [LoanClaim.Statement] = []
            for claim in Self.claims {
                switch prover.prove(claim) {
                case .holds: held.append(claim)
                case .undecided: Issue.record("\(claim) is not decided")
                case .fails(let story):
                    var world = try LoanWorld(policy, terms)
                    var diary = Diary()
                    for move in story { diary.note(move, world.make(move), at: world.now) }
                    #expect(diary.breaks(claim), "\(claim): \(story)")
                }
            }
            var random = SeededGenerator(seed: Soak.seed &+ UInt64(number))
            for _ in 0..<(Soak.steps ?? 6_000) / 100 {
                var world = try LoanWorld(policy, terms)
                var diary = Diary()
                for _ in 0..<60 {
                    let move = random.pick(world.moves + world.turns)
                    diary.note(move, world.make(move), at: world.now)
                }
                for claim in held { #expect(!diary.breaks(claim), "\(claim): \(diary.entries)") }
            }
        }
    }

    /// No approval counts for another service: beside a second loan, the first is as it is alone.
    @Test(arguments: 0..<ClaimTests.rows.count) func loansAreIndependent(_ number: Int) throws {
        let policy = try ClaimTests.rows[number].policy()
        var random = SeededGenerator(seed: Soak.seed &+ UInt64(number) + 200)
        for _ in 0..<(Soak.steps ?? 4_000) / 100 {
            var alone = try LoanWorld(policy, LeaseTerms(uses: 2, minutes: 1))
            var beside = try LoanWorld(policy, LeaseTerms(uses: 2, minutes: 1), services: 2)
            for _ in 0..<60 {
                let move = random.pick(beside.moves + beside.turns)
                let outcome = beside.make(move)
                switch move {
                case .request(_, 1), .approval(_, 1, _), .end(1): break
                default: #expect(alone.make(move) == outcome, "\(move)")
                }
            }
        }
    }

    /// Worlds of one key answer every move in the same way, and lead to worlds of one key.
    @Test(arguments: 0..<ClaimTests.rows.count) func worldsOfOneKeyAreAlike(_ number: Int) throws {
        var random = SeededGenerator(seed: Soak.seed &+ UInt64(number) + 100)
        var first: [LoanWorld.Key: LoanWorld] = [:]
        var pairs = 0
        for _ in 0..<(Soak.steps ?? 4_000) / 100 {
            var world = try LoanWorld(ClaimTests.rows[number].policy(), LeaseTerms(uses: 2, minutes: 1))
            for _ in 0..<40 {
                if let other = first[world.key] {
                    pairs += other == world ? 0 : 1
                    let spans: [Int64] = [1, 30_000, 59_999, 60_000]
                    let moves = world.moves + spans.map { .wait(until: world.now + $0) }
                    let others = other.moves + spans.map { .wait(until: other.now + $0) }
                    try #require(moves.count == others.count)
                    for (move, otherMove) in zip(moves, others) {
                        var (one, two) = (world, other)
                        let outcomes = (one.make(move), two.make(otherMove))
                        #expect(outcomes.0 == outcomes.1 && one.key == two.key, "\(move)")
                    }
                } else {
                    first[world.key] = world
                }
                _ = world.make(random.pick(world.moves + world.turns))
            }
        }
        #expect(pairs > 10, "few worlds had one key")
    }
}
