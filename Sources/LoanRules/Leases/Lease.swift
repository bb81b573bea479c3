/// The uses that are left of an approval. It counts a use before the secret is fetched, and takes it back if nothing was sent.
package struct Lease: Hashable, Sendable {
    /// A use that is under way, by the number of the approval that covers it.
    package struct Ticket: Hashable, Sendable {
        fileprivate let approval: Int
    }

    private struct Open: Hashable {
        /// The number of uses that are left; nil for any number.
        var left: Int?
        /// The time of its end, in milliseconds.
        let end: Int64
        /// The number of locks before the prompt.
        let locks: Int
    }

    /// The terms of each approval.
    package let terms: LeaseTerms
    private var open: Open?
    private var approvals = 0

    /// Creates a lease that is not approved yet.
    package init(_ terms: LeaseTerms) { self.terms = terms }

    /// Counts a use that the last approval covers; nil if it covers no more. `locks` is the number of locks of the vault so far: each
    /// ends the lease.
    package mutating func take(at now: Int64, locks: Int) -> Ticket? {
        guard let lease = open, lease.locks == locks, now < lease.end, lease.left != 0 else {
            open = nil
            return nil
        }
        open?.left = lease.left.map { $0 - 1 }
        return Ticket(approval: approvals)
    }

    /// Returns true if the approval of a use is still in force, also without a use left.
    package func covers(_ ticket: Ticket, at now: Int64, locks: Int) -> Bool {
        left(for: ticket, at: now, locks: locks) != nil
    }

    /// Returns the milliseconds for which the approval of a use is still in force, also without a use left; nil if it is no more.
    package func left(for ticket: Ticket, at now: Int64, locks: Int) -> Int64? {
        guard let open, ticket.approval == approvals, open.locks == locks, now < open.end else { return nil }
        return open.end - now
    }

    /// Begins a lease with an approval, whose first use is under way.
    ///
    /// - Parameters:
    ///   - now: The time of the approval.
    ///   - locks: The number of locks before its prompt.
    @discardableResult
    package mutating func begin(at now: Int64, locks: Int) -> Ticket {
        approvals += 1
        open = Open(left: terms.uses.map { $0 - 1 }, end: now + Int64(terms.minutes) * 60_000, locks: locks)
        return Ticket(approval: approvals)
    }

    /// Gives back a use of which nothing was sent. It counts for its own approval, and not for a later one.
    package mutating func giveBack(_ ticket: Ticket) {
        if ticket.approval == approvals, let left = open?.left { open?.left = left + 1 }
    }

    /// Ends the lease.
    package mutating func end() { open = nil }

    /// Returns what is left of the lease; nil if the next use asks.
    package func left(at now: Int64, locks: Int) -> (uses: Int?, milliseconds: Int64)? {
        guard let open, open.locks == locks, now < open.end, open.left != 0 else { return nil }
        return (open.left, open.end - now)
    }
}
