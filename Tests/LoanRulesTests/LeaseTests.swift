import LoanRules
import TestSupport
import Testing

/// The uses that an approval counts for.
@Suite struct LeaseTests {
    @Test func threeUses() {
        var lease = Lease(LeaseTerms(uses: 3, minutes: 10))
        #expect(lease.take(at: 0, locks: 0) == nil)
        lease.begin(at: 0, locks: 0)
        #expect(lease.take(at: 1, locks: 0) != nil && lease.take(at: 2, locks: 0) != nil)
        #expect(lease.take(at: 3, locks: 0) == nil)
    }

    @Test func itEndsAtItsTimeAndAtALock() {
        for (now, locks) in [(600_000, 0), (1, 1)] {
            var lease = Lease(LeaseTerms(uses: nil, minutes: 10))
            lease.begin(at: 0, locks: 0)
            #expect(lease.left(at: 599_999, locks: 0)?.milliseconds == 1)
            #expect(lease.left(at: Int64(now), locks: locks) == nil)
            #expect(lease.take(at: Int64(now), locks: locks) == nil)
            #expect(lease.take(at: 1, locks: 0) == nil, "it does not come back")
        }
    }

    @Test func onceIsOnce() {
        var lease = Lease(.once)
        lease.begin(at: 0, locks: 0)
        #expect(lease.take(at: 1, locks: 0) == nil)
    }

    /// Random schedules, against a list of the uses that each approval covers.
    @Test func noScheduleGetsMore() {
        var random = SeededGenerator(seed: DaySample.seed)
        for _ in 0..<2_000 {
            let terms = LeaseTerms(
                uses: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil, minutes: 1)
            var lease = Lease(terms)
            var (now, locks) = (Int64(0), 0)
            // The uses that are left of the approval, its end, its number, and all uses that are under way, with the approval of each.
            var left = 0
            var end = Int64(0)
            var approval = 0
            var isOver = true
            var underWay: [(ticket: Lease.Ticket, approval: Int)] = []
            for _ in 0..<40 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: now += Int64.random(in: 0...40_000, using: &random)
                case 1:
                    locks += 1
                    (left, isOver) = (0, true)
                case 2:
                    lease.end()
                    (left, isOver) = (0, true)
                case 3:
                    guard let use = underWay.popLast() else { continue }
                    lease.giveBack(use.ticket)
                    if use.approval == approval, !isOver { left += 1 }
                case 4:
                    approval += 1
                    underWay.append((lease.begin(at: now, locks: locks), approval))
                    (left, end, isOver) = ((terms.uses ?? 1_000_000) - 1, now + 60_000, false)
                default:
                    let ticket = lease.take(at: now, locks: locks)
                    let isCovered = left > 0 && now < end
                    #expect((ticket != nil) == isCovered)
                    if let ticket { underWay.append((ticket, approval)) }
                    (left, isOver) = isCovered ? (left - 1, isOver) : (0, true)
                }
            }
        }
    }
}
