internal import AccessPolicy
internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// What a run of mutants showed, in words.
package struct MutationReport: Sendable {
    /// How many mutants a scenario noticed.
    package private(set) var noticed = 0
    /// How many are no other policy.
    package private(set) var equivalent = 0
    /// How many cannot be stored on the devices that the scenarios have.
    package private(set) var unfit = 0
    /// Those that nothing noticed.
    package private(set) var unnoticed: [MutationRun.Result] = []
    /// Those that were left out: they are no other policy, or cannot be stored.
    private var leftOut: [MutationRun.Result] = []
    private let policyCount: Int

    package init(_ results: [MutationRun.Result], of run: MutationRun) {
        policyCount = run.policies.count
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

    /// How many in a hundred of those that are other policies were noticed.
    package var percent: Double {
        let all = noticed + unnoticed.count
        return all == 0 ? 100 : 100 * Double(noticed) / Double(all)
    }

    /// What was noticed, and what would have to be.
    package func text(colored: Bool, namesAll: Bool = false) -> String {
        let all = noticed + equivalent + unfit + unnoticed.count
        var text = "\n\(counted(all, "mutant")) of \(counted(policyCount, "policy", "policies")): "
        text += "\(noticed) noticed, \(unnoticed.count) not noticed; left out, \(equivalent) equivalent"
        text += unfit > 0 ? " and \(unfit) that cannot be stored\n" : "\n"
        var former: (position: Position, control: AccessControl)?
        for result in unnoticed {
            let policy = result.policy
            if former.map({ $0 != (policy.position, policy.control) }) ?? true {
                let more = policy.count == 1 ? "" : ", and in \(policy.count - 1) more"
                text +=
                    "\n  `\(Terminal.line(policy.item))` is \(policy.control)  (\(Terminal.line("\(policy.position)"))\(more))\n"
                former = (policy.position, policy.control)
            }
            let line = "nothing fails if `\(Terminal.line(policy.item))` \(result.mutant.words)"
            text += "    \(TextTable.Tone.bad.text(line, colored: colored))\n"
        }
        if namesAll {
            for result in leftOut {
                let why = if case .unfit = result.fate { "that cannot be stored" } else { "which nobody can tell" }
                text += "  left out: `\(Terminal.line(result.policy.item))` \(result.mutant.words), \(why)\n"
            }
        }
        return text
    }

    /// The same as marks at the policies' lines on GitHub.
    package func marks() -> String {
        unnoticed.map { result in
            GitHubReport.command(
                "warning", result.policy.position, title: "nothing notices a change of \(result.policy.item)",
                "nothing fails if `\(result.policy.item)` \(result.mutant.words) (it is \(result.policy.control))")
        }.joined()
    }

    /// The same as an object of JSON.
    package var json: String {
        let list = unnoticed.map { result in
            let fields = [
                ("item", Quoting.json(result.policy.item)), ("policy", Quoting.json("\(result.policy.control)")),
                ("at", Quoting.json("\(result.policy.position)")), ("mutant", Quoting.json("\(result.mutant.control)")),
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
