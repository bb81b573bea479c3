internal import AccessPolicy

/// What a run of mutants showed, in words.
package struct MutationReport: Sendable {
    /// How many mutants a scenario noticed.
    package private(set) var noticed = 0
    /// How many are no other policy.
    package private(set) var equivalent = 0
    /// Those that nothing noticed.
    package private(set) var unnoticed: [MutationRun.Result] = []
    private let policyCount: Int

    package init(_ results: [MutationRun.Result], of run: MutationRun) {
        policyCount = run.policies.count
        for result in results {
            switch result.fate {
            case .noticed: noticed += 1
            case .equivalent: equivalent += 1
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
    package func text(coloured: Bool) -> String {
        var text = "\nmutants: \(noticed + equivalent + unnoticed.count) of \(policyCount) policies; "
        text += "\(noticed) noticed, \(equivalent) equivalent, \(unnoticed.count) not noticed\n"
        var former: (position: Position, control: AccessControl)?
        for result in unnoticed {
            let policy = result.policy
            if former.map({ $0 != (policy.position, policy.control) }) ?? true {
                let more = policy.count == 1 ? "" : ", and in \(policy.count - 1) more"
                text +=
                    "\n  `\(printable(policy.item))` is \(policy.control)  (\(printable("\(policy.position)"))\(more))\n"
                former = (policy.position, policy.control)
            }
            let line = "nothing fails if `\(printable(policy.item))` \(result.mutant.words)"
            text += "    \(coloured ? "\(TextTable.Tone.bad.rawValue)\(line)\u{1B}[0m" : line)\n"
        }
        return text
    }
}
