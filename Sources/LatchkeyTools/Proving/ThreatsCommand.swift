internal import AccessPolicy
internal import CommandLineKit
internal import LatchkeyCLI
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios

/// `latchkey threats`
enum ThreatsCommand {
    struct Options: OptionList {
        let policy = PolicyOptions()
        let file = FileOptions()
        let story = Option("--story", says: "print the attack behind every cell")
        let against = Option(
            "--against", value: "PROFILE", says: "print the attack of this profile, with --aim",
            among: Proving.profiles)
        let aim = Option(
            "--aim", value: "AIM",
            says:
                "the aim of --against: read, use (or sign), list, overwrite or destroy; of a file, read-file, create-file or append-file",
            among: ClaimWords.aims)
        let all = Option("--all", says: "survey every policy, in the class of --accessible or in all")
        let assumptions = Proving.assumptions
        let format = Proving.format
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "threats", summary: "show which attacker can ever do what with an item or a file, and in how many steps",
        text: """
            Shows whether each of `latchkey profiles` can ever read, use, list, overwrite or destroy an item, and in how few \
            steps. "never" is a proof: the search tried every situation that the profile can reach. Give a scenario file, a \
            policy in options, or --all. With --file, it shows who can read, create and write to a file of the app.
            """,
        operands: [
            Operand(
                name: "FILE", says: "a scenario file", values: .file, isOptional: true, ifMore: "name only one file"
            )
        ],
        options: Options(),
        examples: [
            ("latchkey threats --require biometryCurrentSet", ""),
            ("latchkey threats --require biometryAny --against passcode-thief --aim read", ""),
            ("latchkey threats --file completeUnlessOpen --held-open", ""),
            ("latchkey threats --all --accessible whenUnlocked --format markdown", ""),
        ],
        statuses: [(2, "the command line or the file was not understood, or the item cannot be stored")],
        group: "policies",
        usages: [
            "FILE [OPTION…]", "[--require FLAGS] [--accessible CLASS] [--key] [--device DEVICE] [OPTION…]",
            "--file PROTECTION [--excluded-from-backup] [--held-open] [--device DEVICE] [OPTION…]", "--all [OPTION…]",
        ],
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let assumes = Proving.assumed(given[\.assumptions])
        if given[\.all] { return try all(given, assumes) }
        let told = try told(given)
        let pages: [ThreatsPage]
        if let path = given.words.first {
            if let said = given[\.policy].firstOption ?? given[\.file].firstOption {
                throw UsageError("\(said) does not go with a file, which states it")
            }
            pages = try ThreatsPages.pages(of: Proving.file(path), at: path, assumes, told)
        } else if let page = try ThreatsPages.page(given[\.policy], given[\.file], assumes, told) {
            pages = [page]
        } else {
            throw UsageError("name a file, a policy with --require or --accessible, a --file, or --all")
        }
        if case .one(_, let aim) = told, let page = pages.first(where: { !$0.columns.contains(aim) }) {
            let aims = page.columns.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(aim.rawValue) is no aim of this table: name one of \(aims)")
        }
        let text =
            switch given[\.format] ?? .table {
            case .markdown: pages.map(\.markdown).joined(separator: "\n")
            case .json: "[\n" + pages.map(\.json).joined(separator: ",\n") + "\n]\n"
            case .table:
                pages.map {
                    given[\.output] == nil
                        ? $0.text(colored: Output.isColored, borderedWithin: Output.borderWidth)
                        : $0.text(colored: false)
                }.joined(separator: "\n")
            }
        return Output.deliver(text, to: given[\.output])
    }

    private static func told(_ given: Given<Options>) throws(UsageError) -> ThreatsPage.Told {
        switch (given[\.against], given[\.aim]) {
        case (let profile?, let aim?): return .one(profile, aim)
        case (nil, nil): return given[\.story] ? .all : .none
        default: throw UsageError("--against PROFILE and --aim AIM name one cell together")
        }
    }

    private static func all(_ given: Given<Options>, _ assumes: Assumptions.Stated) throws(UsageError) -> String {
        let others = given.first(
            of: [
                \.policy.require.facts, \.against.facts, \.aim.facts, \.policy.key.facts,
                \.policy.synchronizable.facts, \.story.facts, \.file.protection.facts, \.file.isExcluded.facts,
                \.file.isOpen.facts,
            ])
        if let option = others {
            throw UsageError("\(option) does not go with --all, which has every policy")
        }
        if !given.words.isEmpty { throw UsageError("a file does not go with --all, which has every policy") }
        let survey = ThreatsSurvey(
            in: given[\.policy.accessible].map { [$0] } ?? Accessibility.allCases,
            on: MatrixDevice(try DeviceOptions.device(given[\.policy.device])),
            assuming: assumes, progress: Proving.progress)
        let text =
            switch given[\.format] ?? .table {
            case .markdown: survey.markdown
            case .json: survey.json
            case .table: survey.table(colored: Output.isColored && given[\.output] == nil)
            }
        return Output.deliver(text, to: given[\.output])
    }
}
