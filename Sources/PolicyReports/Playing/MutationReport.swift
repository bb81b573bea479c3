internal import AccessPolicy
internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// The result of mutation testing: which changed policies the scenarios noticed.
package struct MutationReport: Sendable {
    /// The number of mutants that at least one scenario noticed.
    package private(set) var noticed = 0
    /// The number of mutants that behave like the original policy.
    package private(set) var equivalent = 0
    /// The number of mutants that cannot be stored on the devices of the scenarios.
    package private(set) var unfit = 0
    /// The mutants that no scenario noticed.
    package private(set) var unnoticed: [MutationRun.Result] = []
    /// The mutants that do not count: they are equivalent, or cannot be stored.
    private var leftOut: [MutationRun.Result] = []
    private let policyCount: Int

    package init(_ results: [MutationRun.Result], of run: MutationRun) {
        policyCount = run.policies.count + run.files.count
        for result in results {
            switch result.fate {
            case .noticed: noticed += 1
            case .equivalent:
                equivalent += 1
                leftOut.append(result)
            case .unfit:
                unfit += 1
                leftOut.append(result)
            case .unnoticed: unnoticed.append(result)
            }
        }
    }

    /// The percentage of mutants noticed, among those that count.
    package var percent: Double {
        let all = noticed + unnoticed.count
        return all == 0 ? 100 : 100 * Double(noticed) / Double(all)
    }

    /// Returns the report as text for people. With `namesAll`, it also lists the mutants that do not count.
    package func text(colored: Bool, namesAll: Bool = false) -> String {
        let all = noticed + equivalent + unfit + unnoticed.count
        var text = "\n\(counted(all, "mutant")) of \(counted(policyCount, "policy", "policies")): "
        text += "\(noticed) noticed, \(unnoticed.count) not noticed; left out: \(equivalent) equivalent"
        text += unfit > 0 ? " and \(unfit) that cannot be stored\n" : "\n"
        var former: (position: Position, words: String)?
        for result in unnoticed {
            let policy = result.subject
            if former.map({ $0 != (policy.position, policy.words) }) ?? true {
                let more = policy.count == 1 ? "" : ", and in \(policy.count - 1) more"
                text +=
                    "\n  `\(Terminal.line(policy.name))` is \(policy.words)  (\(Terminal.line("\(policy.position)"))\(more))\n"
                former = (policy.position, policy.words)
            }
            let line = "nothing fails if `\(Terminal.line(policy.name))` \(result.mutant.words)"
            text += "    \(TextTable.Tone.bad.text(line, colored: colored))\n"
        }
        if namesAll {
            for result in leftOut {
                let why =
                    if case .unfit = result.fate { "which cannot be stored" } else {
                        "which changes nothing that can be observed"
                    }
                text += "  left out: `\(Terminal.line(result.subject.name))` \(result.mutant.words), \(why)\n"
            }
        }
        return text
    }

    /// Returns the unnoticed mutants as marks at the lines of their policies on GitHub.
    package func marks() -> String {
        unnoticed.map { result in
            GitHubReport.command(
                "warning", result.subject.position, title: "nothing notices a change of \(result.subject.name)",
                "nothing fails if `\(result.subject.name)` \(result.mutant.words) (it is \(result.subject.words))")
        }.joined()
    }

    package var json: String {
        let list = unnoticed.map { result in
            let fields = [
                (result.subject.kind, Quoting.json(result.subject.name)),
                ("policy", Quoting.json(result.subject.words)),
                ("at", Quoting.json("\(result.subject.position)")), ("mutant", Quoting.json(result.mutant.policy)),
                ("words", Quoting.json(result.mutant.words)),
            ]
            return "      " + JSONText.object(fields)
        }
        return """
            {
                "noticed": \(noticed), "equivalent": \(equivalent), "unfit": \(unfit), "unnoticed": [
            \(list.joined(separator: ",\n"))
                ]
              }
            """
    }
}

extension MutationRun.Subject {
    /// The key for the name in JSON.
    fileprivate var kind: String {
        switch self {
        case .item: "item"
        case .file: "file"
        }
    }
}
