import AccessPolicy
import LoanProver
import LoanRules
import Testing

/// Claims about loans, typed by hand for each kind of policy.
@Suite struct ClaimTests {
    /// A policy, and what is left of three uses within five minutes after the last approval.
    struct Row: Sendable {
        private let protection: Accessibility
        private let flags: AccessControlFlags
        private let reuses: Bool
        /// The most uses that one approval counts for; nil for any number.
        let uses: Int?
        /// The minutes after which nothing is used; nil if there is no end.
        let minutes: Int?
        /// The events that end what is left.
        let ends: [LoanEvent]

        init(
            _ protection: Accessibility, _ flags: AccessControlFlags, reuses: Bool = false, uses: Int?, minutes: Int?,
            ends: [LoanEvent]
        ) {
            (self.protection, self.flags, self.reuses) = (protection, flags, reuses)
            (self.uses, self.minutes, self.ends) = (uses, minutes, ends)
        }

        func policy() throws -> LentPolicy {
            LentPolicy(try AccessControl(protection: protection, flags: flags), reuses: reuses)
        }
    }

    static let terms = LeaseTerms(uses: 3, minutes: 5)

    /// The policies that have names on command lines, and others.
    static let rows: [Row] = [
        // presence
        Row(.whenUnlocked, .userPresence, reuses: true, uses: 3, minutes: 5, ends: [.start, .lock, .passcode, .end]),
        // every-time, passcode
        Row(.whenUnlocked, .userPresence, uses: 1, minutes: 1, ends: LoanEvent.allCases),
        Row(.whenUnlocked, .devicePasscode, uses: 1, minutes: 1, ends: LoanEvent.allCases),
        // open, service
        Row(.whenUnlocked, [], uses: nil, minutes: nil, ends: [.end]),
        Row(.afterFirstUnlock, [], uses: nil, minutes: nil, ends: [.end]),
        // biometry, current-set, and the latter with a lease
        Row(.whenUnlocked, .biometryAny, reuses: true, uses: 3, minutes: 5, ends: [.start, .lock, .passcode, .end]),
        Row(.whenPasscodeSetThisDeviceOnly, .biometryCurrentSet, uses: 1, minutes: 1, ends: LoanEvent.allCases),
        Row(
            .whenPasscodeSetThisDeviceOnly, .biometryCurrentSet, reuses: true, uses: 3, minutes: 5,
            ends: LoanEvent.allCases),
        // A lease of a secret that is open while the device is locked ends with a lock as well.
        Row(
            .afterFirstUnlock, .userPresence, reuses: true, uses: 3, minutes: 5, ends: [.start, .lock, .passcode, .end]),
    ]

    @Test(arguments: 0..<rows.count) func whatIsLeftAfterAnApproval(_ number: Int) throws {
        let row = Self.rows[number]
        let prover = try LoanProver(row.policy(), Self.terms)
        for event in LoanEvent.allCases {
            #expect(prover.prove(.never(after: event)).holds == row.ends.contains(event), "\(event)")
        }
        for count in 0...4 {
            #expect(prover.prove(.atMostUses(count)).holds == (count >= row.uses ?? .max), "\(count)")
        }
        for minutes in [1, 4, 5, 6] {
            #expect(prover.prove(.endsWithin(minutes: minutes)).holds == (minutes >= row.minutes ?? .max), "\(minutes)")
        }
    }

    @Test func aLeaseOfAnyNumberOfUsesHasNoMost() throws {
        let prover = try LoanProver(Self.rows[0].policy(), LeaseTerms(uses: nil, minutes: 2))
        #expect(!prover.prove(.atMostUses(50)).holds)
        #expect(prover.prove(.endsWithin(minutes: 2)).holds && !prover.prove(.endsWithin(minutes: 1)).holds)
    }

    /// Terms of many uses are proved by those of any number. That changes no verdict.
    @Test(arguments: 0..<rows.count) func manyUsesAreAsFew(_ number: Int) throws {
        let policy = try Self.rows[number].policy()
        let (many, few) = (
            try LoanProver(policy, LeaseTerms(uses: 9, minutes: 5)),
            try LoanProver(policy, LeaseTerms(uses: 8, minutes: 5))
        )
        let claims: [LoanClaim.Statement] =
            LoanEvent.allCases.map { .never(after: $0) } + [1, 5].map { .endsWithin(minutes: $0) }
        for claim in claims {
            #expect(many.prove(claim).holds == few.prove(claim).holds, "\(claim)")
        }
    }

    /// The shortest stories are those that a person would tell.
    @Test func aStoryIsShort() throws {
        let prover = try LoanProver(Self.rows[0].policy(), Self.terms)
        guard case .fails(let lease) = prover.prove(.atMostUses(2)) else {
            Issue.record("three uses are lent")
            return
        }
        #expect(lease == [.approval(.use, 0, .finger), .request(.use, 0), .request(.use, 0)])
        guard case .fails(let free) = try LoanProver(Self.rows[3].policy(), Self.terms).prove(.never(after: .lock))
        else {
            Issue.record("its policy never asks")
            return
        }
        #expect(free.count == 3 && free.last == .request(.use, 0), "\(free)")
    }

    @Test func aSearchThatMeetsItsLimitProvesNothing() throws {
        #expect(try LoanProver(Self.rows[0].policy(), Self.terms, limit: 10).prove(.atMostUses(3)) == .undecided)
    }
}

extension LoanProver.Verdict {
    var holds: Bool { if case .holds = self { true } else { false } }
}
