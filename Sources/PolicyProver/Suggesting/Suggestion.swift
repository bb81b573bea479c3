public import AccessPolicy
public import DeviceModel

/// The policies that make a list of claims true and ask the least of the owner, out of all policies that flags can
/// express.
///
/// ```swift
/// let claims: [Claim.Statement] = [
///     .never(.read, against: .passcodeThief),
///     .eventuallyCan(.read, by: .owner),
/// ]
/// let suggestion = Suggestion(for: claims, isKey: false)
/// for candidate in suggestion.candidates { print(candidate.control.flags, candidate.burden.failures) }
/// ```
public struct Suggestion: Sendable {
    /// A policy that makes all claims true, and asks the owner for no more than any comparable policy that also does.
    public struct Candidate: Hashable, Sendable {
        /// The policy.
        public let control: AccessControl
        /// The cost for the owner.
        public let burden: Burden
        /// The other policies with the same cost. ``control`` is the one in the strictest class.
        public let others: [AccessControl]
    }

    /// The claims.
    public let claims: [Claim.Statement]
    /// The assumptions, unless an attacker's profile states others.
    public let assumptions: Assumptions
    /// The settings of the device.
    public let settings: DeviceSettings
    /// The number of policies that were searched.
    public let policies: Int
    /// For each claim, the number of policies that make it true.
    public let satisfying: [Int]
    /// The policies that ask the least of the owner, beginning with those that fail the owner in the fewest
    /// circumstances.
    public let candidates: [Candidate]
    /// If no policy makes all claims true, the indices of the fewest claims that clash. A single index is a claim that
    /// no policy satisfies.
    public let clash: [Int]
    /// True if some search met its limit, so that a policy may be missing.
    public let isUndecided: Bool
    /// The number of situations in all searches.
    public let situations: Int

    /// The result for one batch of policies: the answer for each claim and each policy.
    struct Batch: Sendable {
        var answers: [[Verdict.Answer]] = []
        var burdens: [Burden] = []
        var situations = 0
    }

    /// Searches every policy for data, or for the use of a private key, on the caller's thread.
    ///
    /// `progress` receives the number of policies that are done, each time that a batch ends.
    public init(
        for claims: [Claim.Statement], isKey: Bool, on settings: DeviceSettings = DeviceSettings(),
        isSetUp: Bool = true, assuming stated: Assumptions.Stated = .init(), limits: SearchLimits = SearchLimits(),
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

    /// Returns every policy to search, as an item in a scene.
    static func survey(
        for claims: [Claim.Statement], isKey: Bool, on settings: DeviceSettings, isSetUp: Bool
    ) -> Survey {
        // Claims of other forms are searched item by item, and such a search is quicker with fewer items beside it.
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
        let holding = answers.map { $0.map { $0 == .holds } }
        satisfying = holding.map { answers in answers.filter { $0 }.count }
        let all = controls.indices.filter { place in holding.allSatisfy { $0[place] } }
        clash = all.isEmpty ? Self.clash(among: holding) : []
        candidates = Self.weakest(all, controls, batches.flatMap { $0.burdens })
    }

    /// Returns the fewest claims that no policy makes true together. If there are several such choices, it returns the
    /// first.
    static func clash(among holding: [[Bool]]) -> [Int] {
        for count in 1...max(1, holding.count) {
            if let found = first(count, of: holding, from: 0, chosen: []) { return found }
        }
        return []
    }

    private static func first(_ count: Int, of holding: [[Bool]], from: Int, chosen: [Int]) -> [Int]? {
        if count == 0 {
            let isPossible = holding[chosen[0]].indices.contains { place in chosen.allSatisfy { holding[$0][place] } }
            return isPossible ? nil : chosen
        }
        for place in holding.indices.dropFirst(from) {
            if let found = first(count - 1, of: holding, from: place + 1, chosen: chosen + [place]) { return found }
        }
        return nil
    }

    /// Returns the policies among `places` that none undercuts. Those with the same cost become one candidate, in the
    /// strictest class.
    private static func weakest(_ places: [Int], _ controls: [AccessControl], _ burdens: [Burden]) -> [Candidate] {
        // Classes are in the order of their strictness, so the first policy with a cost is in the strictest one.
        let firsts = places.filter { place in
            !places.contains {
                $0 < place && burdens[$0] == burdens[place] || burdens[$0].isLess(than: burdens[place])
            }
        }
        return (0...Circumstance.allCases.count).flatMap { count in
            firsts.filter { burdens[$0].failures.count == count }.map { first in
                Candidate(
                    control: controls[first], burden: burdens[first],
                    others: places.filter { $0 > first && burdens[$0] == burdens[first] }.map { controls[$0] })
            }
        }
    }
}

extension Suggestion.Batch {
    /// Proves `claims` for every item of `scene`.
    ///
    /// All claims about what one profile reaches, or never reaches, share one search.
    init(_ scene: Scene, _ claims: [Claim.Statement], _ stated: Assumptions.Stated, _ limits: SearchLimits) {
        burdens = scene.items.indices.map { Burden(of: $0, in: scene) }
        answers = claims.map { _ in [] }
        for (place, claim) in claims.enumerated() where answers[place].isEmpty {
            guard let profile = claim.reach?.profile else {
                for item in scene.items.indices {
                    let verdict = Prover(scene, limits: limits).prove(
                        Claim(claim, of: item, assuming: stated))
                    answers[place].append(verdict.answer)
                    situations += verdict.extent.situations
                }
                continue
            }
            let alike = claims.indices.filter { claims[$0].reach?.profile == profile }
            var wanted = Facts()
            for case let (aim, _, _)? in alike.map({ claims[$0].reach }) {
                for item in scene.items.indices { wanted.formUnion(Facts([aim], of: item)) }
            }
            var search = Search(
                scene, [profile], assuming: Assumptions(stated, else: profile.assumes), for: wanted, limits: limits)
            search.run()
            situations += search.extent.situations
            for place in alike {
                guard let (aim, _, wants) = claims[place].reach else { continue }
                answers[place] = scene.items.indices.map { item in
                    let isReached = search.way(to: aim, of: item) != nil
                    return !isReached && search.end == .outOfRoom ? .undecided : isReached == wants ? .holds : .fails
                }
            }
        }
    }
}

extension Claim.Statement {
    /// The aim, the person, and whether the person is to reach it. It is nil for a claim of another form.
    fileprivate var reach: (aim: Aim, profile: Profile, wants: Bool)? {
        switch self {
        case .never(let aim, let profile): (aim, profile, false)
        case .eventuallyCan(let aim, let profile): (aim, profile, true)
        case .alwaysCan, .goneAfterEnrollmentChange, .endsWithRemoval, .atMostPrompts: nil
        }
    }

    /// True if the claim is about a private key, false if it is about data, and nil if it can be about either.
    public var isAboutKey: Bool? {
        let aim: Aim? =
            switch self {
            case .never(let aim, _), .eventuallyCan(let aim, _), .alwaysCan(let aim, _, _): aim
            case .endsWithRemoval: .readNext
            case .goneAfterEnrollmentChange, .atMostPrompts: nil
            }
        return switch aim {
        case .use: true
        case .read, .readNext: false
        case .list, .overwrite, .destroy, .readFile, .createFile, .appendFile, nil: nil
        }
    }
}
