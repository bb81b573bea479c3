internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey compare`
enum CompareCommand {
    static let declaration = Declaration(
        name: "compare", summary: "say which of two policies is the stronger, for whom, and why",
        text: """
            Stores an item under each of two policies on one device and goes through every situation that each profile can \
            bring about: whether both open there, or only one. The first is stronger where it opens nowhere where the second \
            does not. Each difference has its nearest story. That only one of the two is lost for good is told too, and makes \
            neither weaker: what is lost opens to nobody.

            A policy is written as other commands show it: a class, where it is not whenUnlocked, and flags. With --file it may \
            be the name of an item or a policy of that file.
            """,
        operands: [
            Operand(name: "POLICY", says: "such as \"whenUnlocked, biometryAny or devicePasscode\""),
            Operand(
                name: "POLICY", says: "the other", ifMissing: "name two policies", ifMore: "two policies at a time"),
        ],
        options: [
            OptionGroup(
                options: [
                    Option("--file", value: "FILE", "a file of scenarios that names policies", values: .file),
                    Option(
                        "--device", value: "DEVICE", "the device, as for matrix; not with --file, which says it itself",
                        values: .words(deviceNames)),
                    PolicyOptions.protection,
                    Option(
                        "--against", value: "PROFILE", "only for this profile, one of latchkey profiles",
                        values: .words(Proving.profileNames)),
                ] + Proving.assumptions + [
                    Option(
                        "--expect", value: "RELATION",
                        "exit with 1 unless the first is stronger, weaker, equal or incomparable",
                        values: .words(Comparison.Relation.allCases.map(\.rawValue))),
                    Proving.formats, Proving.output,
                ])
        ],
        examples: [
            ("latchkey compare biometryCurrentSet biometryAny", ""),
            ("latchkey compare devicePasscode \"whenUnlockedThisDeviceOnly, devicePasscode\" --expect equal", ""),
        ],
        statuses: [
            (0, "they were compared"), (1, "they do not stand to each other as expected"),
            (2, "the command line or the file was not understood, or no device stores such an item"),
        ],
        group: "policies", run: run)

    private static let deviceNames: [String] = {
        if case .words(let words)? = PolicyOptions.options.first(where: { $0.names[0] == "--device" })?.values {
            words
        } else {
            []
        }
    }()

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        let format = try Proving.format(given)
        let expected = try PolicyOptions.known(
            given["--expect"], "relation", Comparison.Relation.allCases.map { ($0.rawValue, $0) })
        let profiles = try Proving.profile(given["--against"]).map { [$0] } ?? Profile.all
        var device = MatrixDevice(try PolicyOptions.device(given))
        var known: [NamedPolicy] = []
        if let path = given["--file"] {
            for option in ["--device", "--stolen-device-protection"] where given[option] != nil || given.has(option) {
                throw UsageError("\(option) does not go with a file, which says it itself")
            }
            known = NamedPolicy.all(in: Proving.file(path))
            if known.isEmpty {
                Output.fail("\(Terminal.line(path)): no item and no policy is declared there", status: 2)
            }
        }
        var policies: [(name: String, policy: MatrixPolicy)] = []
        for word in given.words {
            if let named = known.first(where: { $0.name == word }) {
                policies.append((word, named.policy))
                device = named.device
            } else {
                policies.append(("", try PolicyWords.policy(word, orNamed: known.map(\.name))))
            }
        }
        if policies[0].policy.isKey != policies[1].policy.isKey {
            throw UsageError(
                "one of them is a private key, which is used, and the other is read: compare like with like")
        }
        let assumes = try Proving.assumed(given)
        let page: ComparisonPage
        do throws(NotStored) {
            page = try ComparisonPage(policies[0], policies[1], on: device, for: profiles, assuming: assumes)
        } catch {
            Output.fail("\(error)", status: 2)
        }
        let text =
            switch format {
            case "markdown": page.markdown
            case "json": page.json
            default: page.table(coloured: Proving.isColoured(given))
            }
        let shown = Proving.deliver(text, given)
        if let expected, page.relation != expected {
            Output.write(shown)
            Output.fail(
                "the first is \(page.relation?.rawValue ?? "not compared to the end"), and not \(expected.rawValue)",
                status: 1)
        }
        return shown
    }
}

/// A policy in one text, as it is shown.
enum PolicyWords {
    /// `whenUnlocked, biometryAny or devicePasscode`: a class or none, and flags.
    static func policy(_ text: String, orNamed names: [String] = []) throws(UsageError) -> MatrixPolicy {
        var words = text.split { $0 == "," || $0 == " " }.map(String.init)
        var protection = Accessibility.whenUnlocked
        if let first = words.first, let known = Accessibility.allCases.first(where: { $0.name == first }) {
            protection = known
            words.removeFirst()
        }
        if let word = AccessControlFlags.unknownWords(in: words.joined(separator: " ")).first {
            throw UsageError(
                unknown: names.isEmpty ? "class or flag" : "policy, class or flag", word,
                among: names + Accessibility.allCases.map(\.name) + AccessControlFlags.words)
        }
        let flags = words.isEmpty ? nil : words.joined(separator: " ")
        let control = try PolicyOptions.control(requiring: flags, in: protection)
        return MatrixPolicy(control, isKey: control.guardsKeyUse)
    }
}
