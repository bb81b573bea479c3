package import DeviceModel
package import LoanRules

/// A prover of claims about the loan of one secret.
///
/// It searches every situation that the program and its owner can bring about, by the rules by which the agent counts uses and decides
/// them. Other loans are left out, because no approval of one counts for another.
package struct LoanProver: Sendable {
    private let beginning: LoanWorld
    /// The beginning with terms of any number of uses; nil if the terms have few.
    private let unlimited: LoanWorld?
    private let terms: LeaseTerms
    private let limit: Int

    /// The number of uses up to which each is counted in every search.
    private static let few = 8

    /// The verdict on a claim.
    package enum Verdict: Hashable, Sendable {
        /// The claim is true in all of these situations, and there are no others.
        case holds(situations: Int)
        /// The claim is false, as these moves show. There is no shorter story.
        case fails([LoanMove])
        /// The search met its limit.
        case undecided
    }

    /// Creates a prover of loans with these terms, of a secret with this policy.
    ///
    /// - Parameter limit: The most situations that a search looks at.
    package init(_ policy: LentPolicy, _ terms: LeaseTerms, limit: Int = 1_000_000) throws(StoringError) {
        beginning = try LoanWorld(policy, terms)
        let isFew = terms.uses.map { $0 <= Self.few } ?? true
        unlimited = isFew ? nil : try LoanWorld(policy, LeaseTerms(uses: nil, minutes: terms.minutes))
        (self.terms, self.limit) = (terms, limit)
    }

    /// Returns the verdict on a claim about the first service.
    package func prove(_ claim: LoanClaim.Statement) -> Verdict {
        switch claim {
        case .atMostUses: return search(claim, from: beginning)
        case .never, .endsWithin:
            guard let unlimited, let uses = terms.uses else { return search(claim, from: beginning) }
            // With any number of uses everything can happen that can with some. And a story that has no more requests than there are
            // uses can happen with these.
            let verdict = search(claim, from: unlimited)
            if case .fails(let story) = verdict, story.count > uses { return search(claim, from: beginning) }
            return verdict
        }
    }

    private func search(_ claim: LoanClaim.Statement, from beginning: LoanWorld) -> Verdict {
        var found = [Place(situation: Situation(beginning, claim), former: nil, move: nil)]
        var known: Set<Situation.Key> = [found[0].situation.key]
        var next = 0
        while next < found.count {
            let here = found[next].situation
            for move in here.world.moves + here.turns {
                var there = here
                guard there.make(move) else { continue }
                if there.isBroken { return .fails(story(to: next, in: found) + [move]) }
                guard known.insert(there.key).inserted else { continue }
                if found.count >= limit { return .undecided }
                found.append(Place(situation: there, former: next, move: move))
            }
            next += 1
        }
        return .holds(situations: found.count)
    }

    /// A situation that was found, and the move that led to it.
    private struct Place {
        let situation: Situation
        let former: Int?
        let move: LoanMove?
    }

    private func story(to place: Int, in found: [Place]) -> [LoanMove] {
        var moves: [LoanMove] = []
        var place = place
        while let former = found[place].former, let move = found[place].move {
            moves.append(move)
            place = former
        }
        return moves.reversed()
    }
}
