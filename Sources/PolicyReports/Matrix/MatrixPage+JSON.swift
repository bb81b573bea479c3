internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// Returns the tables as JSON: one object per policy, with one record per cell.
    package static func json(_ pages: [MatrixPage]) -> String {
        "[\n" + pages.map(\.json).joined(separator: ",\n") + "\n]\n"
    }

    private var json: String {
        let control = policy.control
        let device = matrix.device
        let sensor = device.sensor
        var cells: [String] = []
        forEachCell { use, condition, person, cell in
            cells.append(
                Self.object([("use", Quoting.json(use.rawValue))] + Self.fields(condition, person, .init(cell))))
        }
        let flags = AccessControlFlags.named.filter { control.flags.contains($0.flag) }.map(\.name)
        var fields = [
            ("name", Quoting.json(name)), ("policy", Quoting.json("\(control)")),
            ("accessible", Quoting.json(control.protection.name)), ("flags", Self.texts(flags)),
            ("key", "\(policy.isKey)"), ("synchronizable", "\(policy.isSynchronizable)"),
            ("sensor", Quoting.json(sensor.name)), ("isSetUp", "\(device.isSetUp)"),
            ("notStored", matrix.refusal.map { Quoting.json($0.identifier) } ?? "null"),
            ("sentences", Self.texts(sentences)),
            (
                "uses",
                Self.list(
                    uses.map { Self.object([("use", Quoting.json($0.rawValue)), ("title", Quoting.json($0.title))]) })
            ),
            (
                "people",
                Self.list(
                    MatrixPerson.allCases.map {
                        Self.object([
                            ("person", Quoting.json($0.rawValue)), ("says", Quoting.json($0.phrase(on: sensor))),
                        ])
                    })
            ),
            (
                "conditions",
                Self.list(
                    matrix.conditions.map {
                        Self.object([
                            ("condition", Quoting.json($0.rawValue)), ("topic", Quoting.json($0.topic.rawValue)),
                            ("says", Quoting.json($0.title(on: sensor))),
                        ])
                    })
            ),
            (
                "rules",
                Self.list(
                    rules.map(\.facts).map {
                        Self.object([
                            ("rule", Quoting.json($0.identifier)), ("says", Quoting.json($0.summary)),
                            ("remedy", Quoting.json($0.remedy.rawValue)), ("source", Quoting.json($0.source)),
                        ])
                    })
            ),
            ("cells", Self.list(cells)),
        ]
        if policy.isSynchronizable {
            fields.append(("staysBy", policy.syncObstacle.map { Quoting.json($0.identifier) } ?? "null"))
        }
        if let account { fields += Self.fields(of: account) }
        return "{\n" + fields.map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}"
    }

    /// Returns the members of one record.
    private static func fields(
        _ condition: MatrixCondition, _ person: MatrixPerson, _ cell: AccountMatrix.Cell
    ) -> [(String, String)] {
        [
            ("condition", Quoting.json(condition.rawValue)), ("person", Quoting.json(person.rawValue)),
            ("granted", "\(cell.isGranted)"), ("proved", texts(cell.authenticated.map(\.name))),
            ("rule", cell.rule.map { Quoting.json($0.identifier) } ?? "null"),
            ("asked", texts(cell.asked.map(\.name))),
        ]
    }

    /// Returns the members about the devices of an account.
    private static func fields(of account: AccountMatrix) -> [(String, String)] {
        let devices = account.devices.map {
            object([("device", Quoting.json($0.name)), ("says", Quoting.json($0.device.sentence))])
        }
        let cells = account.rows.flatMap { row in
            MatrixPerson.allCases.map { person in
                object(
                    [
                        ("device", Quoting.json(account.devices[row.device].name)),
                        ("use", Quoting.json(account.use.rawValue)),
                    ] + fields(row.condition, person, row.cell(by: person)))
            }
        }
        return [("devices", list(devices)), ("deviceCells", list(cells))]
    }

    private static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(Quoting.json($0)): \($1)" }.joined(separator: ", ") + "}"
    }

    private static func list(_ elements: [String]) -> String {
        "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
    }

    private static func texts(_ texts: [String]) -> String {
        "[" + texts.map(Quoting.json).joined(separator: ", ") + "]"
    }
}
