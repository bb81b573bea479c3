internal import AccessPolicy
internal import DeviceModel
internal import PlainText
package import PolicyScenarios
package import ScenarioFormat

/// The table of the protection classes of files, ready to write in several formats.
package struct FileMatrixPage: Sendable {
    /// A column: a protection class, with the files of a scenario that have it.
    struct Column {
        let protection: FileProtection
        let names: [String]

        /// The heading of the column, such as `journal: A complete`.
        var title: String {
            let files = names.map { Terminal.line($0) }.joined(separator: ", ")
            return (files.isEmpty ? "" : "\(files): ") + "\(protection.letter) \(protection)"
        }
    }

    let matrix: FileMatrix
    let columns: [Column]

    /// Creates the table of all classes on `device`.
    package init(on device: MatrixDevice) {
        matrix = FileMatrix(on: device)
        columns = FileProtection.allCases.map { Column(protection: $0, names: []) }
    }

    private init(_ device: MatrixDevice, _ files: [FileSetup]) {
        matrix = FileMatrix(on: device)
        columns = FileProtection.allCases.compactMap { protection in
            var names: [String] = []
            for file in files where file.protection == protection && !names.contains(file.name) {
                names.append(file.name)
            }
            return names.isEmpty ? nil : Column(protection: protection, names: names)
        }
    }

    /// Returns a page for the files of `file` on each of its devices.
    package static func pages(of file: ScenarioFile) -> [FileMatrixPage] {
        var devices: [MatrixDevice] = []
        var files: [MatrixDevice: [FileSetup]] = [:]
        for document in file.scenarios + file.declarations where !document.files.isEmpty {
            let device = MatrixDevice(forFilesOf: document)
            if files[device] == nil { devices.append(device) }
            files[device, default: []] += document.files
        }
        return devices.map { FileMatrixPage($0, files[$0] ?? []) }
    }

    /// The accesses that at least one column has.
    var uses: [FileMatrix.Use] {
        FileMatrix.Use.all.filter { use in columns.contains { use.isPossible(of: $0.protection) } }
    }

    /// The rules that deny something, in the order of their first cell.
    var rules: [FileRule] {
        var rules: [FileRule] = []
        forEachCell { _, _, _, rule in
            if rule.facts.effect != .allows, !rules.contains(rule) { rules.append(rule) }
        }
        return rules
    }

    /// Calls `body` for every cell, access by access.
    func forEachCell(_ body: (FileMatrix.Use, MatrixCondition, Column, FileRule) -> Void) {
        for use in uses {
            for condition in matrix.conditions {
                for column in columns {
                    if let rule = matrix.rule(use, of: column.protection, in: condition) {
                        body(use, condition, column, rule)
                    }
                }
            }
        }
    }

    /// Returns the text of a cell: `yes`, or `no` with the number of the rule among `rules`.
    func text(_ rule: FileRule?, _ rules: [FileRule]) -> String {
        guard let rule else { return "—" }
        return rule.facts.effect == .allows ? "yes" : "no [\((rules.firstIndex(of: rule) ?? rules.count) + 1)]"
    }

    var deviceSentence: String {
        let device = matrix.device
        return device.isSetUp
            ? "A simulated device with a passcode and a lock grace of \(device.settings.lockGrace.written)."
            : "A simulated device without a passcode, which never closes a class."
    }

    /// The explanation of the tables.
    static let reading = [
        "Each row begins with an unlocked device. Then the condition of the row comes true.",
        "The protection class of a file says when its key is available. No prompt opens a file.",
        "A file that is open was opened before, or created in this condition. A restart closes every file.",
    ]
}

extension FileMatrix.Use {
    /// Returns true if the access makes sense for a file of this class: a file does not move to its own.
    func isPossible(of protection: FileProtection) -> Bool {
        if case .protect(let next) = self { next != protection } else { true }
    }

    /// The heading of its table.
    var title: String {
        switch self {
        case .create: "Create a file, or replace one"
        case .open: "Open a file"
        case .use: "Use a file that is open"
        case .manage: "See its name and attributes, rename or delete it"
        case .protect(let next): "Move a file to \(next)"
        }
    }
}

// MARK: - Formats

extension FileMatrixPage {
    /// Returns the tables as text for a terminal.
    package static func table(_ pages: [FileMatrixPage], colored: Bool) -> String {
        pages.map { $0.table(colored: colored) }.joined(separator: "\n")
    }

    private func table(colored: Bool) -> String {
        let (sensor, rules) = (matrix.device.sensor, rules)
        var text = "Protection classes of files\n"
        for sentence in [deviceSentence] + Self.reading { text += "  \(sentence)\n" }
        for use in uses {
            var table = TextTable()
            table.rows.append([.init(use.title, .heading)] + columns.map { .init($0.title, .heading) })
            for condition in matrix.conditions {
                table.rows.append(
                    [.init(condition.title(on: sensor))]
                        + columns.map { column in
                            let rule = matrix.rule(use, of: column.protection, in: condition)
                            let tone: TextTable.Tone =
                                rule.map { $0.facts.effect == .allows ? .good : .bad } ?? .faint
                            return .init(self.text(rule, rules), tone)
                        })
            }
            text += "\n" + table.text(colored: colored)
        }
        if rules.isEmpty { return text }
        var legend = TextTable()
        for (place, rule) in rules.enumerated() {
            legend.rows.append([.init("[\(place + 1)]"), .init(rule.identifier), .init(rule.summary, .faint)])
        }
        return text + "\n" + legend.text(colored: colored)
    }

    package static func markdown(_ pages: [FileMatrixPage]) -> String {
        pages.map(\.markdown).joined(separator: "\n")
    }

    private var markdown: String {
        let (sensor, rules) = (matrix.device.sensor, rules)
        var text =
            "## Protection classes of files\n\n" + ([deviceSentence] + Self.reading).joined(separator: " ") + "\n"
        for use in uses {
            text += "\n### \(use.title)\n\n"
            text += Quoting.markdownRow(["condition"] + columns.map { Quoting.markdown($0.title) })
            text += Quoting.markdownRow(["---"] + columns.map { _ in "---" })
            for condition in matrix.conditions {
                text += Quoting.markdownRow(
                    [condition.title(on: sensor)]
                        + columns.map { self.text(matrix.rule(use, of: $0.protection, in: condition), rules) })
            }
        }
        if rules.isEmpty { return text }
        text += "\n### Rules that deny access\n\n"
        text += Quoting.markdownRow(["number", "rule", "meaning", "remedy", "source"])
        text += Quoting.markdownRow(["---", "---", "---", "---", "---"])
        for (place, rule) in rules.enumerated() {
            text += Quoting.markdownRow([
                "[\(place + 1)]", "`\(rule.identifier)`", rule.summary, rule.remedy.text, rule.facts.source,
            ])
        }
        return text
    }

    /// Returns the tables as comma-separated values: a header, then one record per cell.
    package static func csv(_ pages: [FileMatrixPage]) -> String {
        var text = Quoting.csvRow(["file", "class", "access", "to", "condition", "happened", "answer", "rule"])
        for page in pages {
            page.forEachCell { use, condition, column, rule in
                text += Quoting.csvRow([
                    column.names.map { Terminal.line($0) }.joined(separator: ", "), column.protection.name, use.word,
                    use.next?.name ?? "", condition.rawValue, condition.title(on: page.matrix.device.sensor),
                    rule.facts.effect == .allows ? "yes" : "no", rule.identifier,
                ])
            }
        }
        return text
    }

    /// Returns the tables as JSON: one object per device, with one record per cell.
    package static func json(_ pages: [FileMatrixPage]) -> String {
        "[\n" + pages.map(\.json).joined(separator: ",\n") + "\n]\n"
    }

    private var json: String {
        var cells: [String] = []
        forEachCell { use, condition, column, rule in
            cells.append(
                JSONText.object([
                    ("class", Quoting.json(column.protection.name)), ("access", Quoting.json(use.word)),
                    ("to", use.next.map { Quoting.json($0.name) } ?? "null"),
                    ("condition", Quoting.json(condition.rawValue)),
                    ("granted", "\(rule.facts.effect == .allows)"), ("rule", Quoting.json(rule.identifier)),
                ]))
        }
        let sensor = matrix.device.sensor
        let classes = columns.map { column in
            JSONText.object([
                ("class", Quoting.json(column.protection.name)), ("letter", Quoting.json(column.protection.letter)),
                ("files", JSONText.list(column.names.map { Quoting.json($0) })),
            ])
        }
        let conditions = matrix.conditions.map {
            JSONText.object([
                ("condition", Quoting.json($0.rawValue)), ("topic", Quoting.json($0.topic.rawValue)),
                ("says", Quoting.json($0.title(on: sensor))),
            ])
        }
        return "{\n"
            + [
                ("sensor", Quoting.json(sensor.name)), ("isSetUp", "\(matrix.device.isSetUp)"),
                ("classes", JSONText.lines(classes)), ("conditions", JSONText.lines(conditions)),
                ("cells", JSONText.lines(cells)),
            ].map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}"
    }

    /// Returns the tables as one HTML page without scripts, which needs no other file and no network.
    package static func html(_ pages: [FileMatrixPage]) -> String {
        let style = String(decoding: PackageResources.matrix_css, as: UTF8.self)
        var page = "\(HTMLPage.beginning(title: "Protection classes of files", style: style))<header>\n"
        page += "<h1>Protection classes of files</h1>\n"
        for text in reading { page += "<p>\(Quoting.xml(text))</p>\n" }
        page += "</header>\n<main>\n"
        for (place, other) in pages.enumerated() { page += other.section(place + 1) }
        return page + "</main>\n</body>\n</html>\n"
    }

    private func section(_ place: Int) -> String {
        let (sensor, rules) = (matrix.device.sensor, rules)
        var text = "<section id=\"device-\(place)\">\n<h2>\(Quoting.xml(deviceSentence))</h2>\n"
        for use in uses {
            text += HTMLPage.tableStart(use.title) + "<thead><tr>"
            for title in ["condition"] + columns.map(\.title) { text += "<th scope=\"col\">\(Quoting.xml(title))</th>" }
            text += "</tr></thead>\n<tbody>\n"
            for condition in matrix.conditions {
                text += "<tr><th scope=\"row\">\(Quoting.xml(condition.title(on: sensor)))</th>"
                for column in columns {
                    let rule = matrix.rule(use, of: column.protection, in: condition)
                    let kind = rule?.facts.effect == .allows ? "yes" : "no"
                    let title = rule.map { " title=\"\(Quoting.xml("\($0.identifier): \($0.summary)"))\"" } ?? ""
                    text += "<td class=\"\(kind)\"\(title)>\(Quoting.xml(self.text(rule, rules)))</td>"
                }
                text += "</tr>\n"
            }
            text += "</tbody>\n" + HTMLPage.tableEnd
        }
        if rules.isEmpty { return text + "</section>\n" }
        text += "<ol>\n"
        for rule in rules {
            text +=
                "<li><code>\(Quoting.xml(rule.identifier))</code>: \(Quoting.xml("\(rule.summary); \(rule.remedy.text)"))"
                + " (\(Quoting.xml(rule.facts.source)))</li>\n"
        }
        return text + "</ol>\n</section>\n"
    }
}

extension FileMatrix.Use {
    /// The class that a file moves to; nil for another access.
    fileprivate var next: FileProtection? { if case .protect(let next) = self { next } else { nil } }
}
