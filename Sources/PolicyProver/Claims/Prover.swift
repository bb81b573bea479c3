internal import AccessPolicy
internal import DeviceModel

/// A prover of claims about the items and the files of one scene.
///
/// The prover searches every situation that the people of a claim can bring about, on the engine that decides for the
/// vault. If a claim that something never happens holds, the search found no counterexample and left nothing out. If it
/// fails, ``Verdict/story`` has the shortest counterexample.
///
/// ```swift
/// let control = try AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .biometryAny)
/// let prover = try Prover(Scene(storing: [Item(control)]))
/// let verdict = prover.prove(Claim(.never(.read, against: .passcodeThief)))
/// if let story = verdict.story {
///     for step in story.steps { print(story.name(of: step), story.words(of: step)) }
/// }
/// // passcode-thief types the passcode
/// // passcode-thief enrolls a finger of their own
/// // passcode-thief has the app read the secret, authenticates with biometry
/// ```
public struct Prover: Sendable {
    /// The device and the items stored on it.
    public var scene: Scene
    /// The limits of each search.
    public var limits: SearchLimits
    /// The number of tasks that an asynchronous proof uses. The verdict does not depend on it.
    public var tasks: Int

    /// Creates a prover of claims about `scene`.
    public init(_ scene: Scene, limits: SearchLimits = SearchLimits(), tasks: Int = 1) {
        self.scene = scene
        self.limits = limits
        self.tasks = tasks
    }

    /// Returns the verdict on `claim`, searching on the caller's thread.
    public func prove(_ claim: Claim) -> Verdict {
        var inquiry = inquiry(into: claim)
        inquiry.search.run()
        return inquiry.verdict
    }

    /// Returns the search that answers `claim`, with the conclusion to draw from it.
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
                ifNever: .holds, allowing: { _ in true }
            ) { $0.hasSeenEnrollmentChange }
        case .endsWithRemoval(let profile):
            let circles = scene.circles.modeled
            return inquiry(
                onReaching: .readNext, claim, by: profile, assumptions, ifReached: .fails, ifNever: .holds,
                beside: profile == .owner ? nil : .owner,
                allowing: { $0.actor == 0 || $0.deed == .account(.removal) }
            ) { situation in circles?.isHandRemoved(in: situation.account.circle) == true }
        case .atMostPrompts(let count, let workflow, let profile):
            return atMost(count, for: workflow, of: claim.item, by: profile, assuming: assumptions)
        }
    }

    /// Returns the ordinary use of the item: a private key is used, and every other item is read.
    private func useAim(of item: Int) -> Aim { scene.isKey(item) ? .use : .read }

    /// Returns the search that answers a claim that a person of `profile` does, or does not, reach `aim`.
    private func inquiry(
        onReaching aim: Aim, _ claim: Claim, by profile: Profile, _ assumptions: Assumptions,
        ifReached: Verdict.Answer, ifNever: Verdict.Answer,
        beside second: Profile? = nil, allowing allows: @escaping @Sendable (Move) -> Bool = { _ in true },
        once counts: @escaping @Sendable (Situation) -> Bool = { _ in true }
    ) -> Inquiry {
        var search = Search(
            scene, [profile] + (second.map { [$0] } ?? []), assuming: assumptions,
            about: Search.Subject(claim.item, of: aim),
            for: Facts([aim], of: claim.item),
            once: counts, allowing: allows, limits: limits)
        search.looksForShortest = true
        return Inquiry(search: search) { search in
            let way = search.way(to: aim, of: claim.item)
            return Verdict(
                answer: way != nil ? ifReached : search.end == .outOfRoom ? .undecided : ifNever,
                story: way.map { search.story($0) }, extent: search.extent, assumptions: assumptions)
        }
    }
}

/// A search, with the verdict to draw from it.
struct Inquiry: Sendable {
    var search: Search
    private let conclude: @Sendable (Search) -> Verdict

    init(search: Search, conclude: @escaping @Sendable (Search) -> Verdict) {
        self.search = search
        self.conclude = conclude
    }

    /// The verdict. Read it only after the search has ended.
    var verdict: Verdict { conclude(search) }
}

/// A route to an aim.
struct Way: Hashable, Sendable {
    /// The number of the situation that it leads to.
    var situation: Int
    /// The wait there, if any.
    var pause: TimeSpan?
    /// The requests or uses of the file there, in order.
    var deeds: [Move.Deed]
    /// The index of the item or the file.
    var item: Int
    /// The length of the whole route in steps.
    var length: Int
}

extension Search {
    /// Returns the shortest route to `aim` that the search has found.
    func way(to aim: Aim, of item: Int) -> Way? {
        var best: Way?
        for first in firsts where first.place == item && aim.facts.contains(first.fact) {
            let length = first.depth + first.fact.steps
            if length < best?.length ?? .max {
                best = Way(
                    situation: first.number, deeds: deeds(of: first.fact, on: item, at: first.number), item: item,
                    length: length)
            }
        }
        return best
    }

    /// Returns the moves that establish `fact` in the situation with this number, through the first app that can.
    func deeds(of fact: Fact, on place: Int, at number: Int) -> [Move.Deed] {
        let asker = actors[0]
        let situation = situation(number)
        let apps = asker.apps(in: situation)
        var app = apps[0]
        if apps.count > 1, !fact.requests.isEmpty {
            app =
                apps.first {
                    situation.grants(fact.requests, of: scene.items[place], to: asker, through: $0, scene.reuse)
                } ?? app
        }
        return fact.deeds(on: place, in: scene, through: app)
    }
}
