internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

/// The options that state a claim about a policy, and the people in it.
struct ClaimOptions: OptionList {
    let heading = "claim, unless a file states it"
    let never = Option(
        name(of: .never), value: "AIM", says: "the attacker of --against can never do this", among: ClaimWords.aims)
    let eventuallyCan = Option(
        name(of: .eventuallyCan), value: "AIM", says: "the person of --by can do this", among: ClaimWords.aims)
    let alwaysCan = Option(
        name(of: .alwaysCan), value: "AIM", says: "whatever --against does, --by can still do this in the end",
        among: ClaimWords.aims)
    let goneAfterEnrollmentChange = Option(
        name(of: .goneAfterEnrollmentChange), says: ClaimKind.goneAfterEnrollmentChange.summary)
    let endsWithRemoval = Option(
        name(of: .endsWithRemoval), says: ClaimKind.endsWithRemoval.summary)
    let atMostPrompts = Option(
        name(of: .atMostPrompts), value: "NUMBER", says: "--workflow never shows --by more prompts than this"
    ) { (text) throws(UsageError) in
        guard let count = Int(text), count >= 0 else {
            throw UsageError(
                "\(name(of: .atMostPrompts)) needs a number of prompts, not \"\(Terminal.word(text))\"")
        }
        return count
    }
    let against = Option(
        "--against", value: "PROFILE", says: "the attacker, one of latchkey profiles",
        among: Proving.profiles)
    let by = Option(
        "--by", value: "PROFILE", says: "the person of the claim; the owner by default",
        among: Proving.profiles)
    let workflow = Option(
        "--workflow", value: "REQUESTS", says: "the requests, in order, such as read,read",
        values: requests.values
    ) { (text) throws(UsageError) in
        var actions: [Action] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            actions.append(try requests.read(String(word)))
        }
        return actions
    }
    let assumptions = Proving.assumptions
    let reuse = Option(
        "--reuse", value: "DURATION", says: "the app's touchIDAuthenticationAllowableReuseDuration, such as 5m"
    ) { (text) throws(UsageError) in
        guard let span = TimeSpan(written: text) else {
            throw UsageError("--reuse needs a duration such as 30s or 5m, not \"\(Terminal.word(text))\"")
        }
        return span
    }

    /// The requests that an app can repeat.
    private static let requests = Choice(ClaimWords.workflow, "request")

    private static func name(of kind: ClaimKind) -> String { "--\(kind.rawValue)" }

    /// Returns the claim that the options state, about an item or a file that the options state.
    ///
    /// - Throws: `UsageError` if options are missing or contradict each other, or no device can store such an item.
    static func proposition(
        _ given: Given<ClaimOptions>, about options: Given<PolicyOptions>, or file: FileSlot?, isSaved: Bool
    ) throws(UsageError) -> Proposition {
        let statement = try statement(given)
        let assumes = Proving.assumed(given[\.assumptions])
        if let fault = statement.fault(of: assumes) { throw UsageError(fault) }
        let preset = try DeviceOptions.device(options[\.device])
        if let file {
            guard statement.aim?.isAboutFile == true else {
                let aims = Aim.ofFiles.map(\.rawValue).joined(separator: ", ")
                throw UsageError("a claim about a file has one of the aims \(aims)")
            }
            if let option = given.first(of: [\.reuse.facts]) {
                throw UsageError("\(option) is about prompts, and no prompt opens a file")
            }
            do throws(StoringError) {
                return try Proposition(statement, about: file, on: preset, assuming: assumes)
            } catch {
                throw UsageError("\(error)")
            }
        }
        if let aim = statement.aim, aim.isAboutFile {
            throw UsageError("\(aim.rawValue) is about a file: name its protection class with --file")
        }
        let policy = try PolicyOptions.policy(options)
        if let aim = statement.aim, !aim.isOpen(toKey: policy.isKey) {
            throw UsageError(
                policy.isKey
                    ? "a private key is used, never read: make a claim about use"
                    : "only a private key is used: make a claim about read")
        }
        if policy.isKey && !policy.control.guardsKeyUse && isSaved {
            throw UsageError(
                "a scenario states a private key by its flags: add privateKeyUsage to --require instead of --key")
        }
        do throws(StoringError) {
            return try Proposition(
                statement, about: policy, on: preset, reuse: given[\.reuse] ?? .zero, assuming: assumes)
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func statement(_ given: Given<ClaimOptions>) throws(UsageError) -> Claim.Statement {
        let said = ClaimKind.allCases.filter { given.first(of: [option(of: $0)]) != nil }
        guard let kind = said.first else {
            throw UsageError("state a claim: \(ClaimKind.allCases.map(name).joined(separator: ", "))")
        }
        if said.count > 1 {
            throw UsageError("\(name(of: said[0])) and \(name(of: said[1])) are two claims: prove one at a time")
        }
        if let other = given.first(of: foreignOptions(of: kind)) {
            throw UsageError("\(other) does not go with \(name(of: kind))")
        }
        let by = given[\.by] ?? .owner
        switch kind {
        case .never:
            if let aim = given[\.never] { return .never(aim, against: try attacker(given, kind)) }
        case .eventuallyCan:
            if let aim = given[\.eventuallyCan] { return .eventuallyCan(aim, by: by) }
        case .alwaysCan:
            if let aim = given[\.alwaysCan] { return .alwaysCan(aim, by: by, against: try attacker(given, kind)) }
        case .goneAfterEnrollmentChange: return .goneAfterEnrollmentChange
        case .endsWithRemoval: return .endsWithRemoval(against: try attacker(given, kind))
        case .atMostPrompts:
            guard let actions = given[\.workflow] else {
                throw UsageError("\(name(of: kind)) needs --workflow with requests, such as read,read")
            }
            if let count = given[\.atMostPrompts] { return .atMostPrompts(count, for: actions, by: by) }
        }
        preconditionFailure("\(name(of: kind)) was typed, and has no value")
    }

    private static func option(of kind: ClaimKind) -> KeyPath<ClaimOptions, OptionFacts> {
        switch kind {
        case .never: \.never.facts
        case .eventuallyCan: \.eventuallyCan.facts
        case .alwaysCan: \.alwaysCan.facts
        case .goneAfterEnrollmentChange: \.goneAfterEnrollmentChange.facts
        case .endsWithRemoval: \.endsWithRemoval.facts
        case .atMostPrompts: \.atMostPrompts.facts
        }
    }

    /// Returns the options that belong to other kinds of claims only.
    private static func foreignOptions(of kind: ClaimKind) -> [KeyPath<ClaimOptions, OptionFacts>] {
        switch kind {
        case .never: [\.by.facts, \.workflow.facts]
        case .eventuallyCan: [\.against.facts, \.workflow.facts]
        case .alwaysCan: [\.workflow.facts]
        case .goneAfterEnrollmentChange: [\.against.facts, \.by.facts, \.workflow.facts]
        case .endsWithRemoval: [\.by.facts, \.workflow.facts]
        case .atMostPrompts: [\.against.facts]
        }
    }

    private static func attacker(_ given: Given<ClaimOptions>, _ kind: ClaimKind) throws(UsageError) -> Profile {
        guard let profile = given[\.against] else {
            let known = Profile.known.map(\.name).joined(separator: ", ")
            throw UsageError("\(name(of: kind)) needs --against PROFILE: \(known)")
        }
        return profile
    }
}
