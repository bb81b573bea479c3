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
        for result in unnoticed {
            let policy = result.policy
            let line = "nothing fails if `\(printable(policy.item))` \(result.mutant.words)"
            text +=
                "  \(coloured ? "\(TextTable.Tone.bad.rawValue)\(line)\u{1B}[0m" : line)  (it is: \(policy.control))\n"
        }
        return text
    }
}
