internal import DeviceModel
internal import LoanRules

/// A world, with the part of its past that a claim is about.
struct Situation {
    private(set) var world: LoanWorld
    private let claim: LoanClaim.Statement
    /// True once the claim is shown to be false.
    private(set) var isBroken = false
    /// True if the event of the claim came after the last approval.
    private var isAfterEvent: Bool
    /// The uses since the last approval, with the one that it approved.
    private var count = 0
    /// The time of the last approval; nil before the first.
    private var approved: Int64?

    init(_ world: LoanWorld, _ claim: LoanClaim.Statement) {
        (self.world, self.claim) = (world, claim)
        isAfterEvent = claim == .never(after: .start)
    }

    /// The part of a situation that its future depends on.
    struct Key: Hashable {
        var world: LoanWorld.Key
        var isAfterEvent: Bool
        var count: Int
        /// The milliseconds since the last approval, up to those that the claim is about.
        var since: Int64?
    }

    var key: Key {
        let longest = minutes.map { Int64($0) * 60_000 + 1 } ?? 0
        return Key(
            world: world.key, isAfterEvent: isAfterEvent, count: count,
            since: approved.map { min(world.now - $0, longest) })
    }

    /// The minutes of the claim; nil if it is about none.
    private var minutes: Int? { if case .endsWithin(let minutes) = claim { minutes } else { nil } }

    /// The wait until the time of the claim is over.
    var turns: [LoanMove] {
        guard let minutes, let approved else { return [] }
        let end = approved + Int64(minutes) * 60_000 + 1
        return end > world.now ? [.wait(until: end)] : []
    }

    /// Makes a move. Returns false if it does nothing.
    mutating func make(_ move: LoanMove) -> Bool {
        let outcome = world.make(move)
        guard outcome != .refused else { return false }
        switch move {
        case .request(let request, 0), .approval(let request, 0, _): note(request, outcome)
        case .request, .approval, .wait: break
        case .end(let service): if service == 0 { note(.end) }
        case .event(let event):
            switch event {
            case .lock: note(.lock)
            case .enrolled, .removed: note(.enroll)
            case .passcodeChanged: note(.passcode)
            default: break
            }
        }
        return true
    }

    private mutating func note(_ event: LoanEvent) { if claim == .never(after: event) { isAfterEvent = true } }

    private mutating func note(_ request: LoanWorld.Request, _ outcome: LoanWorld.Outcome) {
        if outcome == .approved { (isAfterEvent, count, approved) = (false, 0, world.now) }
        guard request != .unsent else { return }
        switch claim {
        case .never: if isAfterEvent { isBroken = true }
        case .atMostUses(let most):
            // A request that belongs to a use counts with it.
            if outcome != .belonged { count += 1 }
            if count > most { isBroken = true }
        case .endsWithin(let minutes):
            if approved.map({ world.now - $0 > Int64(minutes) * 60_000 }) ?? true { isBroken = true }
        }
    }
}
