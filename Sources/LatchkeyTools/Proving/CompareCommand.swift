internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey compare`
enum CompareCommand {
    struct Options: OptionList {
        let file = Option("--file", value: "FILE", says: "a scenario file that names policies", values: .file)
        let device = DeviceOptions(says: "the device, as for matrix, unless --file states it")
        let against = Option(
            "--against", value: "PROFILE", says: "compare for this profile only (latchkey profiles)",
            among: Proving.profiles)
        let assumptions = Proving.assumptions
        let expect = Option<Comparison.Relation?>(
            "--expect", value: "RELATION",
            says: "exit with 1 unless the first is stronger, weaker, equal or incomparable")
        let format = Proving.format
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "compare", summary: "compare two policies: which is stronger, against which attacker, and why",
        text: """
            Stores an item under each policy and tries every situation that each profile can reach. The first policy is \
            stronger if it never opens where the second does not. Each difference comes with its shortest attack. An \
            invalidated item opens to no one, so invalidation alone makes neither policy weaker.

            Write a policy as its class, unless that is whenUnlocked, and its flags. With --file, you can also use the name of \
            an item or a policy in that file.
            """,
        operands: [
            Operand(name: "POLICY", says: "such as \"whenUnlocked, biometryAny or devicePasscode\""),
            Operand(
                name: "POLICY", says: "the other", ifMissing: "name two policies", ifMore: "name only two policies"),
        ],
        options: Options(),
        examples: [
            ("latchkey compare biometryCurrentSet biometryAny", ""),
            ("latchkey compare devicePasscode \"whenUnlockedThisDeviceOnly, devicePasscode\" --expect equal", ""),
        ],
        statuses: [
            (0, "the policies were compared"), (1, "the result is not that of --expect"),
            (2, "the command line or the file was not understood, or no device stores such an item"),
        ],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let profiles = given[\.against].map { [$0] } ?? Profile.all
        var device = MatrixDevice(try DeviceOptions.device(given[\.device]))
        var known: [NamedPolicy] = []
        if let path = given[\.file] {
            if let option = given[\.device].firstOption {
                throw UsageError("\(option) does not go with a file, which states it")
            }
            known = NamedPolicy.all(in: Proving.file(path))
            if known.isEmpty {
                Output.fail("\(Terminal.line(path)) declares no item and no policy", status: 2)
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
                "one is a private key, which is used, and the other is read: compare two of a kind")
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
                "the first is \(page.relation?.rawValue ?? "not compared completely"), not \(expected.rawValue)",
                status: 1)
        }
        return shown
    }
}

/// A policy in one text, as reports show it.
enum PolicyWords {
    /// Parses a policy such as `whenUnlocked, biometryAny or devicePasscode`: flags, after a class unless it is whenUnlocked.
    ///
    /// - Throws: `UsageError` with the nearest word if one is unknown. `names` are words that would have been right as well.
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
