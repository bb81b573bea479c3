internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

/// The options that say what is claimed of a policy, and of whom.
enum ClaimOptions {
    private static let aims = Values.words(ClaimWords.aims.map(\.0))
    private static let profiles = Values.words(Profile.all.map(\.name))

    static let claim = OptionGroup(
        heading: "the claim, where no file says it",
        options: [
            Option("--never", value: "AIM", "nobody like --against ever comes to that", values: aims),
            Option("--eventually-can", value: "AIM", "somebody like --by can come to that", values: aims),
            Option(
                "--always-can", value: "AIM", "whatever --against does, --by can come to that in the end", values: aims),
            Option("--gone-after-enrollment-change", ClaimKind.goneAfterEnrollmentChange.summary),
            Option(
                "--at-most-prompts", value: "NUMBER", "the --workflow asks --by for no more proofs in any situation"),
            Option(
                "--against", value: "PROFILE", "the attacker: \(Profile.all.map(\.name).joined(separator: ", "))",
                values: profiles),
            Option("--by", value: "PROFILE", "who can, or is asked; the owner where nothing is said", values: profiles),
            Option(
                "--workflow", value: "REQUESTS", "what is asked, one after another, such as read,read",
                values: .words(requests.map(\.0))),
        ] + Proving.assumptions + [
            Option("--reuse", value: "DURATION", "touchIDAuthenticationAllowableReuseDuration of the app, such as 5m")
        ])

    /// What can be asked again and again.
    private static let requests = ClaimWords.workflow

    /// The first of these options that is given; nil where none is.
    static func said(_ given: Given) -> String? {
        claim.options.map { $0.names[0] }.first { given[$0] != nil || given.has($0) }
    }

    /// What is claimed, of an item under the policy that is said.
    static func proposition(_ given: Given) throws(UsageError) -> Proposition {
        let statement = try statement(given)
        let assumes = try Proving.assumed(given)
        if let fault = statement.fault(of: assumes) { throw UsageError(fault) }
        let policy = try PolicyOptions.policy(given)
        let preset = try PolicyOptions.device(given)
        if let aim = statement.aim, !aim.isOpen(toKey: policy.isKey) {
            throw UsageError(
                policy.isKey
                    ? "a private key is used and never read: claim something of use"
                    : "only a private key is used: claim something of read")
        }
        if policy.isKey && !policy.control.guardsKeyUse && given["--save"] != nil {
            throw UsageError("a scenario knows private keys by their flags: say privateKeyUsage instead of --key")
        }
        let reuse = try reuse(given)
        do throws(NotStored) {
            return try Proposition(statement, about: policy, on: preset, reuse: reuse, assuming: assumes)
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func reuse(_ given: Given) throws(UsageError) -> TimeSpan {
        guard let text = given["--reuse"] else { return .zero }
        guard let span = TimeSpan(written: text) else {
            throw UsageError("--reuse takes a length of time such as 30s or 5m, and not \"\(Terminal.word(text))\"")
        }
        return span
    }

    private static func statement(_ given: Given) throws(UsageError) -> Claim.Statement {
        let said = ClaimKind.allCases.filter { given["--\($0.rawValue)"] != nil || given.has("--\($0.rawValue)") }
        guard let kind = said.first else {
            throw UsageError(
                "say what is claimed: \(ClaimKind.allCases.map { "--\($0.rawValue)" }.joined(separator: ", "))")
        }
        if said.count > 1 {
            throw UsageError(
                "--\(said[0].rawValue) and --\(said[1].rawValue) are two claims: prove one after the other")
        }
        let option = "--\(kind.rawValue)"
        try refuse(among: given, with: option, but: keys(of: kind))
        let by = try profile(given, "--by") ?? .owner
        let aims = ClaimWords.aims
        switch kind {
        case .never: return .never(try aim(given, option, aims), against: try attacker(given, option))
        case .eventuallyCan: return .eventuallyCan(try aim(given, option, aims), by: by)
        case .alwaysCan:
            return .alwaysCan(try aim(given, option, aims), by: by, against: try attacker(given, option))
        case .goneAfterEnrollmentChange: return .goneAfterEnrollmentChange
        case .atMostPrompts:
            let text = given[option] ?? ""
            guard let count = Int(text), count >= 0 else {
                throw UsageError("\(option) takes a number of prompts, and not \"\(Terminal.word(text))\"")
            }
            return .atMostPrompts(count, for: try workflow(given, option), by: by)
        }
    }

    /// The options besides its own that say more of a claim.
    private static func keys(of kind: ClaimKind) -> Set<String> {
        switch kind {
        case .never: ["--against"]
        case .eventuallyCan: ["--by"]
        case .alwaysCan: ["--by", "--against"]
        case .goneAfterEnrollmentChange: []
        case .atMostPrompts: ["--by", "--workflow"]
        }
    }

    private static func refuse(among given: Given, with option: String, but keys: Set<String>) throws(UsageError) {
        for key in ["--against", "--by", "--workflow"] where given[key] != nil && !keys.contains(key) {
            throw UsageError("\(key) does not go with \(option)")
        }
    }

    private static func aim(
        _ given: Given, _ option: String, _ aims: [(String, Aim)]
    ) throws(UsageError) -> Aim {
        guard let aim = try PolicyOptions.known(given[option], "aim", aims) else {
            throw UsageError("\(option) takes an aim: \(aims.map(\.0).joined(separator: ", "))")
        }
        return aim
    }

    private static func attacker(_ given: Given, _ option: String) throws(UsageError) -> Profile {
        guard let profile = try profile(given, "--against") else {
            throw UsageError("\(option) needs --against PROFILE: \(Profile.all.map(\.name).joined(separator: ", "))")
        }
        return profile
    }

    private static func profile(_ given: Given, _ option: String) throws(UsageError) -> Profile? {
        try PolicyOptions.known(given[option], "profile", Profile.all.map { ($0.name, $0) })
    }

    private static func workflow(_ given: Given, _ option: String) throws(UsageError) -> [Action] {
        guard let text = given["--workflow"] else {
            throw UsageError("\(option) needs --workflow: what is asked, such as read,read")
        }
        var actions: [Action] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let action = try PolicyOptions.known(String(word), "request", requests) { actions.append(action) }
        }
        return actions
    }
}
