internal import AccessPolicy
internal import DeviceModel
internal import LoanRules

extension LoanWorld {
    /// The part of a world that its future depends on, with times as they are from now. Two worlds with one key behave alike in every
    /// future.
    struct Key: Hashable {
        var world: World
        var loans: [LoanKey]
    }

    /// The part of a loan that its future depends on.
    struct LoanKey: Hashable {
        var isOver: Bool
        /// The uses that are left; nil for any number.
        var uses: Int?
        /// The milliseconds that are left; nil for a lease that covers no use.
        var milliseconds: Int64?
        /// The milliseconds in which requests may belong to the last use.
        var following: Int64
        var held: [EvidenceKey]
    }

    /// An authentication, as far as it counts.
    struct EvidenceKey: Hashable {
        var factor: Factor
        var isOfThisSession: Bool
        var domainState: DomainState
    }

    /// The key of the world.
    var key: Key { Key(world: world.normalized, loans: loans.map { key(of: $0) }) }

    private func key(of loan: Loan) -> LoanKey {
        let left = loan.lease.left(at: now, locks: locks)
        let open = loan.last.map { max(0, $0.since + Self.together - now) } ?? 0
        let ticket = open > 0 ? loan.last?.ticket : nil
        let covered = ticket.flatMap { loan.lease.left(for: $0, at: now, locks: locks) }.map { min($0, open) }
        // With a policy that asks, a request belongs only to a use that an approval covers.
        let following = asks ? covered ?? 0 : open
        // Without a use left, and without a request that may follow, the context counts no more.
        let held = left == nil && covered == nil ? nil : loan.held
        return LoanKey(
            isOver: loan.isOver, uses: left?.uses, milliseconds: left?.milliseconds, following: following,
            held: held.map { keys(of: $0) } ?? [])
    }

    private func keys(of context: Context) -> [EvidenceKey] {
        Factor.allCases.compactMap { factor in
            context[factor].map { evidence in
                EvidenceKey(
                    factor: factor, isOfThisSession: evidence.session == world.device.session,
                    domainState: evidence.domainState.normalized(on: world.device))
            }
        }
    }

    /// The waits until something ends by itself, and until the moment before.
    var turns: [LoanMove] {
        var times: [Int64] = []
        for loan in loans {
            if let left = loan.lease.left(at: now, locks: locks) { times.append(now + left.milliseconds) }
            if let last = loan.last { times.append(last.since + Self.together) }
        }
        return times.flatMap { [$0 - 1, $0] }.filter { $0 > now }.map { .wait(until: $0) }
    }
}
