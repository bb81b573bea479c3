internal import AccessPolicy
internal import DeviceModel

/// Proves claims about one scene.
public struct Prover: Sendable {
    /// The device and what is stored on it.
    public var scene: Scene
    /// How far it goes.
    public var limits: Limits
    /// How many tasks it works with where that is worth it. What it finds does not depend on it.
    public var tasks: Int

    /// A prover of claims about `scene`.
    public init(_ scene: Scene, limits: Limits = Limits(), tasks: Int = 1) {
        self.scene = scene
        self.limits = limits
        self.tasks = tasks
    }

    /// Whether `claim` is true, with the reason.
    public func prove(_ claim: Claim) async -> Verdict {
        switch claim.statement {
        case .never(let aim, let profile):
            let (search, way) = await shortest(to: aim, of: claim.item, by: profile)
            return Verdict(
                answer: way != nil ? .fails : search.end == .outOfRoom ? .undecided : .holds,
                story: way.map { search.story($0) }, extent: search.extent)
        case .eventuallyCan(let aim, let profile):
            let (search, way) = await shortest(to: aim, of: claim.item, by: profile)
            return Verdict(
                answer: way != nil ? .holds : search.end == .outOfRoom ? .undecided : .fails,
                story: way.map { search.story($0) }, extent: search.extent)
        case .alwaysCan(let aim, let owner, let profile):
            return await always(aim, of: claim.item, by: owner, against: profile)
        case .goneAfterEnrollmentChange:
            let (search, way) = await shortest(to: useAim(of: claim.item), of: claim.item, by: .owner) {
                $0.hasSeenEnrolmentChange
            }
            return Verdict(
                answer: way != nil ? .fails : search.end == .outOfRoom ? .undecided : .holds,
                story: way.map { search.story($0) }, extent: search.extent)
        case .atMostPrompts(let count, let workflow, let profile):
            return await atMost(count, for: workflow, of: claim.item, by: profile)
        }
    }

    /// What a secret is for: a private key is used, and all else is read.
    private func useAim(of item: Int) -> Aim { scene.isKey(item) ? .use : .read }

    /// The shortest way to `aim`, if there is one.
    private func shortest(
        to aim: Aim, of item: Int, by profile: Profile,
        once counts: @escaping @Sendable (Situation) -> Bool = { _ in true }
    ) async -> (search: Search, way: Way?) {
        var search = Search(scene, [profile], for: Facts([aim], of: item), once: counts, limits: limits)
        search.looksForShortest = true
        await search.run(tasks: tasks)
        return (search, search.way(to: aim, of: item))
    }
}

extension Scene {
    /// Whether the item in this place is a private key.
    func isKey(_ item: Int) -> Bool { world[items[item]]?.item.isKey == true }
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
