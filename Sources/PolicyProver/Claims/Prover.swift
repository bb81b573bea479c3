internal import AccessPolicy
internal import DeviceModel

/// Proves claims about one scene.
public struct Prover: Sendable {
    /// The device and what is stored on it.
    public var scene: Scene
    /// How far it goes.
    public var limits: Limits
    /// How many tasks it works with where that is worth it, if the caller can await it. What it finds does not depend on it.
    public var tasks: Int

    /// A prover of claims about `scene`.
    public init(_ scene: Scene, limits: Limits = Limits(), tasks: Int = 1) {
        self.scene = scene
        self.limits = limits
        self.tasks = tasks
    }

    /// Returns the verdict on `claim`, with the reason; searches on the thread of the caller alone.
    public func prove(_ claim: Claim) -> Verdict {
        var inquiry = inquiry(into: claim)
        inquiry.search.run()
        return inquiry.verdict
    }

    /// Returns the search that answers `claim`, and how it does.
    func inquiry(into claim: Claim) -> Inquiry {
        let assumptions = claim.assumptions
        switch claim.statement {
        case .never(let aim, let profile):
            return inquiry(onReaching: aim, claim, by: profile, assumptions, ifReached: .fails, ifNever: .holds)
        case .eventuallyCan(let aim, let profile):
            return inquiry(onReaching: aim, claim, by: profile, assumptions, ifReached: .holds, ifNever: .fails)
        case .alwaysCan(let aim, let owner, let profile):
            return always(aim, of: claim.item, by: owner, against: profile, assuming: assumptions)
        case .goneAfterEnrollmentChange:
            return inquiry(
                onReaching: useAim(of: claim.item), claim, by: claim.statement.holder, assumptions, ifReached: .fails,
                ifNever: .holds
            ) { $0.hasSeenEnrollmentChange }
        case .atMostPrompts(let count, let workflow, let profile):
            return atMost(count, for: workflow, of: claim.item, by: profile, assuming: assumptions)
        }
    }

    /// What a secret is for: a private key is used, and all else is read.
    private func useAim(of item: Int) -> Aim { scene.isKey(item) ? .use : .read }

    /// Returns the inquiry into `claim`, which says that a person of `profile` does or does not come to `aim`.
    private func inquiry(
        onReaching aim: Aim, _ claim: Claim, by profile: Profile, _ assumptions: Assumptions,
        ifReached: Verdict.Answer, ifNever: Verdict.Answer,
        once counts: @escaping @Sendable (Situation) -> Bool = { _ in true }
    ) -> Inquiry {
        var search = Search(
            scene, [profile], assuming: assumptions, about: claim.item, for: Facts([aim], of: claim.item),
            once: counts, limits: limits)
        search.looksForShortest = true
        return Inquiry(search: search) { search in
            let way = search.way(to: aim, of: claim.item)
            return Verdict(
                answer: way != nil ? ifReached : search.end == .outOfRoom ? .undecided : ifNever,
                story: way.map { search.story($0) }, extent: search.extent, assumptions: assumptions)
        }
    }
}

/// A search, and the verdict that it leads to.
struct Inquiry: Sendable {
    var search: Search
    private let conclude: @Sendable (Search) -> Verdict

    init(search: Search, conclude: @escaping @Sendable (Search) -> Verdict) {
        self.search = search
        self.conclude = conclude
    }

    /// The verdict, once the search has ended.
    var verdict: Verdict { conclude(search) }
}

/// How somebody comes to something.
struct Way: Hashable, Sendable {
    /// To which situation of the search they go.
    var situation: Int
    /// How long they wait there.
    var pause: TimeSpan?
    /// What they ask for there.
    var requests: [Action]
    /// Of which item.
    var item: Int
    /// How many steps it is in all.
    var length: Int
}

extension Search {
    /// The shortest way to `aim` among those found.
    func way(to aim: Aim, of item: Int) -> Way? {
        var best: Way?
        for first in firsts where first.place == item && aim.facts.contains(first.fact) {
            let length = first.depth + first.fact.steps
            if length < best?.length ?? .max {
                best = Way(situation: first.number, requests: first.fact.requests, item: item, length: length)
            }
        }
        return best
    }
}
