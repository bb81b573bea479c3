internal import AccessPolicy
internal import PlainText
package import PolicyScenarios

/// Writes the coverage of a suite as text.
package enum CoverageReport {
    /// Returns the coverage in percent, with one decimal.
    package static func percent(_ coverage: Coverage) -> String { percent(coverage.percent) }

    /// Returns a number in percent, with one decimal, rounded down.
    package static func percent(_ hundredths: Double) -> String {
        let tenths = Int(hundredths * 10)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// Returns the rules and flags that the suite exercised, and those that it never did.
    package static func text(_ coverage: Coverage, colored: Bool) -> String {
        let (covered, all) = coverage.count
        let rules = coverage.rules
        let missing = rules.filter { !coverage.hasFired($0) }
        var text =
            "\nexercised: \(covered) of \(all), \(percent(coverage)); \(rules.count - missing.count) of \(rules.count) rules\n"
        if !missing.isEmpty {
            var table = TextTable()
            table.rows = missing.map { [.init("  never"), .init($0.identifier, .bad), .init($0.summary, .faint)] }
            text += table.text(colored: colored)
        }
        var table = TextTable()
        table.rows.append([.init("")] + Coverage.Verdict.allCases.map { .init($0.name, .heading) })
        var rows: [String: [TextTable.Cell]] = [:]
        var order: [String] = []
        for (cell, isCovered) in coverage.flagCells {
            if rows[cell.flag] == nil {
                order.append(cell.flag)
                rows[cell.flag] = Coverage.Verdict.allCases.map { _ in .init("-", .faint) }
            }
            rows[cell.flag]?[cell.verdict.rawValue] = isCovered ? .init("yes", .good) : .init("never", .bad)
        }
        for flag in order { table.rows.append([.init("  \(flag)")] + (rows[flag] ?? [])) }
        text += table.text(colored: colored)
        for (rule, reason) in coverage.leftOut { text += "  left out: \(rule.identifier), because \(reason)\n" }
        return text
    }
}
