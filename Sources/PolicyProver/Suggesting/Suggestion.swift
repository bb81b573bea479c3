public import AccessPolicy
public import DeviceModel

/// Which of all policies make some claims true, and which of those ask least of the owner.
public struct Suggestion: Sendable {
    /// A policy that makes all claims true, and asks no more than any other that does and can be compared with it.
    public struct Candidate: Hashable, Sendable {
        /// The policy.
        public let control: AccessControl
        /// What it asks of the owner.
        public let burden: Burden
        /// Others that ask the very same of the owner. The first of them all is the one in the strictest class, which costs nothing.
        public let others: [AccessControl]
    }

    /// The claims.
    public let claims: [Claim.Statement]
    /// The assumptions, unless an attacker's profile states others.
    public let assumptions: Assumptions
    /// How the device is made.
    public let settings: DeviceSettings
    /// How many policies were looked at.
    public let policies: Int
    /// How many of them make each claim true.
    public let satisfying: [Int]
    /// The policies that ask least, those that fail the owner in the fewest circumstances in front.
    public let candidates: [Candidate]
    /// Where no policy makes all claims true: as few of them as clash, by their places. One is a claim that no policy makes true.
    public let clash: [Int]
    /// True if some search had no room for its answer, so that a policy may be missing.
    public let isUndecided: Bool
    /// How many situations were searched in all.
    public let situations: Int

    /// What came of one batch of policies: for each claim, whether each policy of the batch makes it true.
    struct Batch: Sendable {
        var answers: [[Verdict.Answer]] = []
        var burdens: [Burden] = []
        var situations = 0
    }

    /// Looks through every policy for data, or for the use of a private key, on the thread of the caller alone. It calls `progress` with
    /// the number of policies that are done.
    public init(
        for claims: [Claim.Statement], isKey: Bool, on settings: DeviceSettings = DeviceSettings(),
        isSetUp: Bool = true, assuming stated: Assumptions.Stated = .init(), limits: Limits = Limits(),
        progress: (Int) -> Void = { _ in }
    ) {
        let survey = Self.survey(for: claims, isKey: isKey, on: settings, isSetUp: isSetUp)
        var batches: [Batch] = []
        var done = 0
        for scene in survey.scenes {
            batches.append(Batch(scene, claims, stated, limits))
            done += scene.items.count
            progress(done)
        }
        self.init(claims, settings, stated, survey, batches)
    }

    /// Every policy to look at, as an item in a scene.
    static func survey(
        for claims: [Claim.Statement], isKey: Bool, on settings: DeviceSettings, isSetUp: Bool
    ) -> Survey {
        // Claims of other forms are searched for each item by itself, which is the quicker the less there is beside it.
        let size = claims.allSatisfy { $0.reach != nil } ? SlotID.capacity : 1
        return Survey(
            settings, isSetUp: isSetUp, of: PolicySpace.policies(forKey: isKey).map { Item($0, isKey: isKey) }, at: size
        )
    }

    /// Compares the policies by the batches of all scenes of `survey`.
    init(
        _ claims: [Claim.Statement], _ settings: DeviceSettings, _ stated: Assumptions.Stated, _ survey: Survey,
        _ batches: [Batch]
    ) {
        let controls = survey.items.map { $0.control }
        self.claims = claims
        self.settings = settings
        assumptions = Assumptions(stated)
        policies = controls.count
        situations = batches.reduce(0) { $0 + $1.situations }
        let answers = claims.indices.map { claim in batches.flatMap { $0.answers[claim] } }
        isUndecided = answers.contains { $0.contains(.undecided) }
        let holding = answers.map { answers in Set(answers.indices.filter { answers[$0] == .holds }) }
        satisfying = holding.map { $0.count }
        let all = holding.reduce(Set(controls.indices)) { $0.intersection($1) }
        clash = all.isEmpty ? Self.clash(among: holding) : []
        candidates = Self.weakest(all.sorted(), controls, batches.flatMap { $0.burdens })
    }

    /// The fewest claims that no policy makes true together; of several the first.
    static func clash(among holding: [Set<Int>]) -> [Int] {
        for count in 1...max(1, holding.count) {
            if let found = first(count, of: holding, from: 0, chosen: [], left: nil) { return found }
        }
        return []
    }

    private static func first(
        _ count: Int, of holding: [Set<Int>], from: Int, chosen: [Int], left: Set<Int>?
    ) -> [Int]? {
        if count == 0 { return left?.isEmpty == true ? chosen : nil }
        for place in holding.indices.dropFirst(from) {
            let rest = left.map { $0.intersection(holding[place]) } ?? holding[place]
            if let found = first(count - 1, of: holding, from: place + 1, chosen: chosen + [place], left: rest) {
                return found
            }
        }
        return nil
    }

    /// Those of `places` than which none asks less; those that ask the same are one, in the strictest class.
    private static func weakest(_ places: [Int], _ controls: [AccessControl], _ burdens: [Burden]) -> [Candidate] {
        var alike: [Burden: [Int]] = [:]
        for place in places { alike[burdens[place], default: []].append(place) }
        return alike.filter { burden, _ in !alike.keys.contains { $0.isLess(than: burden) } }
            .sorted { ($0.key.failures.count, $0.value[0]) < ($1.key.failures.count, $1.value[0]) }
            .map { burden, places in
                // Classes are in the order of their strictness.
                Candidate(
                    control: controls[places[0]], burden: burden, others: places.dropFirst().map { controls[$0] })
            }
    }
}

extension Suggestion.Batch {
    /// What comes of `claims` for every item of `scene`. All claims that say what one profile comes to, or never does, are one search.
    init(_ scene: Scene, _ claims: [Claim.Statement], _ stated: Assumptions.Stated, _ limits: Limits) {
        burdens = scene.items.indices.map { Burden(of: $0, in: scene) }
        answers = claims.map { _ in scene.items.map { _ in .undecided } }
        var searches: [Profile: Search] = [:]
        for (place, claim) in claims.enumerated() {
            guard let (aim, profile, wants) = claim.reach else {
                for item in scene.items.indices {
                    let verdict = Prover(scene, limits: limits).prove(
                        Claim(claim, of: item, assuming: stated))
                    answers[place][item] = verdict.answer
                    situations += verdict.extent.situations
                }
                continue
            }
            if searches[profile] == nil {
                var wanted = Facts()
                for case let (aim, other, _)? in claims.map({ $0.reach }) where other == profile {
                    for item in scene.items.indices { wanted.formUnion(Facts([aim], of: item)) }
                }
                var search = Search(
                    scene, [profile], assuming: Assumptions(stated, else: profile.assumes), for: wanted, limits: limits)
                search.run()
                situations += search.extent.situations
                searches[profile] = search
            }
            guard let search = searches[profile] else { continue }
            for item in scene.items.indices {
                let isReached = search.way(to: aim, of: item) != nil
                answers[place][item] =
                    !isReached && search.end == .outOfRoom ? .undecided : isReached == wants ? .holds : .fails
            }
        }
    }
}

extension Claim.Statement {
    /// What is to be reached by whom, and whether it is to be reached at all; nil for a claim of another form.
    fileprivate var reach: (aim: Aim, profile: Profile, wants: Bool)? {
        switch self {
        case .never(let aim, let profile): (aim, profile, false)
        case .eventuallyCan(let aim, let profile): (aim, profile, true)
        case .alwaysCan, .goneAfterEnrollmentChange, .atMostPrompts: nil
        }
    }

    /// What it is about: a private key is used, and all else is read. Nil where it can be said of both.
    public var isAboutKey: Bool? {
        let aim: Aim? =
            switch self {
            case .never(let aim, _), .eventuallyCan(let aim, _), .alwaysCan(let aim, _, _): aim
            case .goneAfterEnrollmentChange, .atMostPrompts: nil
            }
        return switch aim {
        case .use: true
        case .read: false
        case .list, .overwrite, .destroy, nil: nil
        }
    }
}
