internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// Returns the tables as comma-separated values: a header, then one record per cell.
    ///
    /// If a page has several devices, each record also has the name of its device.
    package static func csv(_ pages: [MatrixPage]) -> String {
        let haveDevices = pages.contains { $0.account != nil }
        var text = Quoting.csvRow(
            [
                "item", "policy", "key", "synchronizable", "use", "condition", "happened", "person", "answer", "proved",
                "rule", "asked",
            ] + (haveDevices ? ["device"] : []))
        for page in pages {
            func record(
                _ use: MatrixUse, _ condition: MatrixCondition, _ person: MatrixPerson, _ cell: AccountMatrix.Cell,
                _ device: MatrixDevice, _ name: String?
            ) {
                let policy = page.policy
                text += Quoting.csvRow(
                    [
                        Terminal.line(page.name), "\(policy.control)", "\(policy.isKey)", "\(policy.isSynchronizable)",
                        use.rawValue,
                        condition.rawValue, condition.title(on: device.sensor), person.rawValue,
                        cell.isGranted ? "yes" : "no", cell.authenticated.map(\.name).joined(separator: " and "),
                        cell.rule?.identifier ?? "", cell.asked.map(\.name).joined(separator: ", "),
                    ] + (haveDevices ? [Terminal.line(name ?? "")] : []))
            }
            page.forEachCell { use, condition, person, cell in
                record(use, condition, person, .init(cell), page.matrix.device, page.account?.devices.first?.name)
            }
            guard let account = page.account else { continue }
            // The records of the first device are among those above.
            for row in account.rows where row.device > 0 {
                let device = account.devices[row.device]
                for person in MatrixPerson.allCases {
                    record(account.use, row.condition, person, row.cell(by: person), device.device, device.name)
                }
            }
        }
        return text
    }
}
