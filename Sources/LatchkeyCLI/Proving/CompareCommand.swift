internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import Glibc
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey compare`
enum CompareCommand {
    struct Options: OptionList {
        let file = Option("--file", value: "FILE", says: "a file of scenarios that names policies", values: .file)
        let device = DeviceOptions(says: "the device, as for matrix; not with --file, which says it itself")
        let against = Option(
            "--against", value: "PROFILE", says: "only for this profile, one of latchkey profiles",
            among: Proving.profiles)
        let assumptions = Proving.assumptions
        let expect = Option<Comparison.Relation?>(
            "--expect", value: "RELATION",
            says: "exit with 1 unless the first is stronger, weaker, equal or incomparable")
        let format = Proving.format
        let output = Output.option
    }

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
        options: Options(),
        examples: [
            ("latchkey compare biometryCurrentSet biometryAny", ""),
            ("latchkey compare devicePasscode \"whenUnlockedThisDeviceOnly, devicePasscode\" --expect equal", ""),
        ],
        statuses: [
            (0, "they were compared"), (1, "they do not stand to each other as expected"),
            (2, "the command line or the file was not understood, or no device stores such an item"),
        ],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let profiles = given[\.against].map { [$0] } ?? Profile.all
        var device = MatrixDevice(try DeviceOptions.device(given[\.device]))
        var known: [NamedPolicy] = []
        if let path = given[\.file] {
            if let option = given[\.device].firstOption {
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
        let assumes = Proving.assumed(given[\.assumptions])
        let page: ComparisonPage
        do throws(StoringError) {
            page = try ComparisonPage(policies[0], policies[1], on: device, for: profiles, assuming: assumes)
        } catch {
            Output.fail("\(error)", status: 2)
        }
        let text =
            switch given[\.format] ?? .table {
            case .markdown: page.markdown
            case .json: page.json
            case .table: page.table(colored: Output.isColored && given[\.output] == nil)
            }
        let shown = Output.deliver(text, to: given[\.output])
        if let expected = given[\.expect], page.relation != expected {
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
        let flags = words.isEmpty ? nil : AccessControlFlags(written: words.joined(separator: " "))
        let control = try PolicyOptions.control(requiring: flags, in: protection)
        return MatrixPolicy(control, isKey: control.guardsKeyUse)
    }
}
