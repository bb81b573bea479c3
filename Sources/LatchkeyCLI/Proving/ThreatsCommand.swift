internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey threats`
enum ThreatsCommand {
    static let declaration = Declaration(
        name: "threats", summary: "show who can ever come to what with an item, and in how many steps",
        text: """
            Searches everything that each profile can do with the device, and shows whether they ever read, use, list, \
            overwrite and destroy the item, and in how few steps. "never" is a proof: every situation that they can bring \
            about was gone through. The same in gives the same out.

            The policy is that of every item in a file of scenarios, or what options say; --all takes every policy that flags \
            can write. The profiles are those of latchkey profiles; attackers that a file declares are for its claims, which \
            latchkey prove proves.
            """,
        operands: [
            Operand(
                name: "FILE", says: "a file of scenarios", values: .file, isOptional: true, ifMore: "one file at a time"
            )
        ],
        options: [Proving.policy, shape],
        examples: [
            ("latchkey threats --require biometryCurrentSet", ""),
            ("latchkey threats --require biometryAny --against passcode-thief --aim read", ""),
            ("latchkey threats --all --accessible whenUnlocked --format markdown", ""),
        ],
        statuses: [(2, "the command line or the file was not understood, or the item cannot be stored")],
        group: "policies",
        usages: [
            "FILE [OPTION…]", "[--require FLAGS] [--accessible CLASS] [--key] [--device DEVICE] [OPTION…]",
            "--all [OPTION…]",
        ],
        run: run)

    private static let shape = OptionGroup(
        options: [
            Option("--story", "tell the story behind every cell"),
            Option(
                "--against", value: "PROFILE", "tell the story of this cell as well, with --aim",
                values: .words(Proving.profileNames)),
            Option(
                "--aim", value: "AIM", "read, use (or sign), list, overwrite or destroy",
                values: .words(ClaimWords.aims.map(\.0))
            ),
            Option("--all", "every policy that flags can write, in one class or all of them"),
        ] + Proving.assumptions + [Proving.formats, Proving.output])

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try Proving.format(given)
        let assumes = try Proving.assumed(given)
        if given.has("--all") { return try all(given, format, assumes) }
        let told = try told(given)
        let said = PolicyOptions.said(given)
        var pages: [ThreatsPage] = []
        if let path = given.words.first {
            if let said { throw UsageError("\(said) does not go with a file, which says it itself") }
            for page in Proving.pages(of: path) {
                pages.append(self.page(page.name, page.policy, page.matrix.device, assumes, told))
            }
        } else if said != nil {
            let device = MatrixDevice(try PolicyOptions.device(given))
            pages = [page("", try PolicyOptions.policy(given), device, assumes, told)]
        } else {
            throw UsageError("name a file, a policy with --require or --accessible, or --all")
        }
        let text =
            switch format {
            case "markdown": pages.map(\.markdown).joined(separator: "\n")
            case "json": "[\n" + pages.map(\.json).joined(separator: ",\n") + "\n]\n"
            default: pages.map { $0.text(coloured: Proving.isColoured(given)) }.joined(separator: "\n")
            }
        return Proving.deliver(text, given)
    }

    private static func told(_ given: Given) throws(UsageError) -> ThreatsPage.Told {
        switch (try Proving.profile(given["--against"]), try Proving.aim(given["--aim"])) {
        case (let profile?, let aim?): return .one(profile, aim)
        case (nil, nil): return given.has("--story") ? .all : .none
        default: throw UsageError("--against PROFILE and --aim AIM name one cell together")
        }
    }

    private static func page(
        _ name: String, _ policy: MatrixPolicy, _ device: MatrixDevice, _ assumes: Assumptions.Stated,
        _ told: ThreatsPage.Told
    ) -> ThreatsPage {
        do throws(NotStored) {
            return try ThreatsPage(name: name, policy, on: device, assuming: assumes, telling: told)
        } catch {
            Output.fail("\(name.isEmpty ? "" : "\(Terminal.line(name)): ")\(error)", status: 2)
        }
    }

    private static func all(
        _ given: Given, _ format: String, _ assumes: Assumptions.Stated
    ) throws(UsageError) -> String {
        for option in ["--require", "--against", "--aim"] where given[option] != nil {
            throw UsageError("\(option) does not go with --all, which has every policy")
        }
        for option in ["--key", "--synchronizable", "--story"] where given.has(option) {
            throw UsageError("\(option) does not go with --all, which has every policy")
        }
        if !given.words.isEmpty { throw UsageError("a file does not go with --all, which has every policy") }
        let protection = try PolicyOptions.known(
            given["--accessible"], "class", Accessibility.allCases.map { ($0.name, $0) })
        let survey = ThreatsSurvey(
            in: protection.map { [$0] } ?? Accessibility.allCases, on: MatrixDevice(try PolicyOptions.device(given)),
            assuming: assumes, progress: Proving.progress)
        let text =
            switch format {
            case "markdown": survey.markdown
            case "json": survey.json
            default: survey.table(coloured: Proving.isColoured(given))
            }
        return Proving.deliver(text, given)
    }
}
