internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// Returns the tables as comma-separated values: a header, then one record per cell.
    package static func csv(_ pages: [MatrixPage]) -> String {
        var text = Quoting.csvRow([
            "item", "policy", "key", "synchronizable", "use", "condition", "happened", "person", "answer", "proved",
            "rule", "asked",
        ])
        for page in pages {
            let sensor = page.matrix.device.sensor
            let policy = page.policy
            page.forEachCell { use, condition, person, cell in
                text += Quoting.csvRow([
                    Terminal.line(page.name), "\(policy.control)", "\(policy.isKey)", "\(policy.isSynchronizable)",
                    use.rawValue,
                    condition.rawValue, condition.title(on: sensor), person.rawValue, cell.isGranted ? "yes" : "no",
                    cell.authenticated.map(\.name).joined(separator: " and "), cell.rule?.identifier ?? "",
                    cell.asked.map(\.name).joined(separator: ", "),
                ])
            }
        }
        return text
    }
}
