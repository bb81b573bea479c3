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
                Self.object([
                    ("use", Quoting.json(use.rawValue)), ("condition", Quoting.json(condition.rawValue)),
                    ("person", Quoting.json(person.rawValue)), ("granted", "\(cell.isGranted)"),
                    ("proved", Self.texts(cell.authenticated.map(\.name))),
                    ("rule", cell.rule.map { Quoting.json($0.identifier) } ?? "null"),
                    ("asked", Self.texts(cell.asked.map(\.name))),
                ]))
        }
        let flags = AccessControlFlags.named.filter { control.flags.contains($0.flag) }.map(\.name)
        let fields = [
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
        return "{\n" + fields.map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}"
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
