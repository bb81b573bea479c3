internal import AccessPolicy
package import DeviceModel
internal import PlainText
package import PolicyProver
package import PolicyScenarios
package import ScenarioFormat

/// The table of threats to one item or one file, ready to write in several formats.
package struct ThreatsPage: Sendable {
    /// The name of the policy, such as the names of its items.
    package let name: String
    /// The subject of a table.
    package enum Subject: Sendable {
        case item(MatrixPolicy)
        case file(FileSlot)
    }

    /// The item or the file.
    package let subject: Subject
    /// The table, with the differences under other assumptions.
    let table: ThreatsTable
    let assumed: Assumed
    /// The table under the stated assumptions.
    package var threats: Threats { table.base }
    /// The aims that make sense for the item or the file.
    package let aims: [Aim]
    package let columns: [Aim]
    /// The cells whose attacks are shown.
    package let told: Told

    /// A choice of cells.
    package enum Told: Sendable {
        case none
        case all
        case one(Profile, Aim)
    }

    /// Creates the table of an item with `policy` on `device`.
    ///
    /// - Throws: A `StoringError` if such an item cannot be stored on the device.
    package init(
        name: String, _ policy: MatrixPolicy, on device: MatrixDevice, assuming stated: Assumptions.Stated = .init(),
        telling told: Told = .none, profiles: [Profile]? = nil
    ) throws(StoringError) {
        try self.init(
            name: name, .item(policy), Scene(policy, on: device), on: device,
            profiles ?? (device.hasAccount ? Profile.all + Profile.ofAccounts : Profile.all), stated, told,
            Aim.ofItems(inAccount: device.hasAccount).filter { $0.isOpen(toKey: policy.isKey) },
            Aim.ofItems(inAccount: device.hasAccount))
    }

    /// Creates the table of a file on `device`.
    ///
    /// - Throws: A `StoringError` if the device cannot be set up.
    package init(
        name: String, _ file: FileSlot, on device: MatrixDevice, assuming stated: Assumptions.Stated = .init(),
        telling told: Told = .none
    ) throws(StoringError) {
        try self.init(
            name: name, .file(file), Scene(file, on: device), on: device, Profile.all, stated, told, Aim.ofFiles,
            Aim.ofFiles)
    }

    private init(
        name: String, _ subject: Subject, _ scene: Scene, on device: MatrixDevice, _ profiles: [Profile],
        _ stated: Assumptions.Stated, _ told: Told, _ aims: [Aim], _ columns: [Aim]
    ) {
        self.name = name
        self.subject = subject
        self.told = told
        self.aims = aims
        self.columns = columns
        table = ThreatsTable(scene, on: device, profiles: profiles, assuming: stated)
        assumed = Assumed(Assumptions(stated), on: device)
    }

    /// The name and the policy in one line.
    var heading: String {
        let (name, words) = headingParts
        return name.map { "\($0): \(words)" } ?? words
    }

    /// The name, or nil if it says no more than the policy, and the policy.
    var headingParts: (name: String?, words: String) {
        let (words, isNamedSo): (String, Bool) =
            switch subject {
            case .item(let policy):
                (
                    "\(policy.control)" + (policy.isKey && !policy.control.guardsKeyUse ? ", a private key" : ""),
                    name == "\(policy.control)"
                )
            case .file(let file): ("file, \(file)", false)
            }
        return (name.isEmpty || isNamedSo ? nil : Terminal.line(name), words)
    }

    /// Returns every kind of file that a document declares, named after its files, with the device of the document.
    package static func files(of file: ScenarioFile) -> [(name: String, file: FileSlot, device: MatrixDevice)] {
        struct Place: Hashable {
            let slot: FileSlot
            let device: MatrixDevice
        }
        var places: [Place] = []
        var names: [Place: [String]] = [:]
        for document in file.scenarios + file.declarations {
            for file in document.files {
                let place = Place(slot: file.slot, device: MatrixDevice(forFilesOf: document))
                if names[place] == nil { places.append(place) }
                if names[place]?.contains(file.name) != true { names[place, default: []].append(file.name) }
            }
        }
        return places.map { ((names[$0] ?? []).joined(separator: ", "), $0.slot, $0.device) }
    }

    /// The apps that were searched, for programs.
    private var apps: [(String, String)] {
        let apps = table.device.apps
        return apps.count < 2 ? [] : [("apps", JSONText.list(apps.map { Quoting.json($0.name) }))]
    }

    /// The size of the searches, in a sentence.
    var searched: String {
        let situations = table.extents.reduce(0) { $0 + $1.situations }
        let moves = table.extents.reduce(0) { $0 + $1.moves }
        let lack = table.device.lack.map { " \($0)" } ?? ""
        let apps = table.device.apps.map { Terminal.line($0.name) }
        let through = apps.count > 1 ? ", asking through \(enumerated(apps, "and"))" : ""
        return "Searched: \(counted(situations, "situation")), \(counted(moves, "move"))\(through).\(lack)"
    }

    /// Calls `body` for every attack to show, under the assumptions of the table and under others where the result differs.
    private func forEachStory(_ body: (_ heading: String, Attack) -> Void) {
        for (row, profile) in threats.profiles.enumerated() {
            for aim in aims {
                switch told {
                case .none: continue
                case .one(let one, let other) where one != profile || other != aim: continue
                case .one, .all: break
                }
                let heading = "\(profile.name), \(aim.rawValue)"
                if let story = threats.story(row, aim) { body(heading, story) }
                for difference in table.differences(row, aim) {
                    if let story = difference.story { body("\(heading), with \(difference.variant.words)", story) }
                }
            }
        }
    }

    func words(_ row: Int, _ aim: Aim) -> String {
        ([threats.cell(row, aim).words]
            + table.differences(row, aim).map { "\($0.variant.mark) \($0.cell.words)" }).joined(separator: " · ")
    }

    /// Returns the table as text for a terminal. It has borders if it then fits into lines of `width`; nil stands for none.
    package func text(colored: Bool, borderedWithin width: Int? = nil) -> String {
        "\(heading)\n" + body(colored: colored, borderedWithin: width)
    }

    /// Returns the text for a terminal without its heading.
    func body(colored: Bool, borderedWithin width: Int?) -> String {
        var table = TextTable()
        table.rows.append([.init("profile", .heading)] + columns.map { .init($0.rawValue, .heading) })
        for (row, profile) in threats.profiles.enumerated() {
            table.rows.append(
                [.init(profile.name)]
                    + columns.map { aim in
                        let cell = threats.cell(row, aim)
                        return .init(words(row, aim), cell == .never ? .good : cell == .meaningless ? .faint : .bad)
                    })
        }
        let bordered = width.flatMap { table.bordered(colored: colored, within: $0) }
        var text = "assuming \(assumed)\n\n\(bordered ?? table.text(colored: colored))"
        text += "\n\(self.table.variants.legend())\n"
        forEachStory { heading, story in
            text += "\n\(heading):\n" + story.lines.map { "  \($0)\n" }.joined()
        }
        return text + "\n\(searched)\n"
    }

    package var markdown: String {
        var text = "## \(Quoting.markdown(heading))\n\nAssuming `\(assumed)`.\n\n"
        text += Quoting.markdownRow(["profile"] + columns.map(\.rawValue))
        text += Quoting.markdownRow(["---"] + columns.map { _ in "---" })
        for (row, profile) in threats.profiles.enumerated() {
            text += Quoting.markdownRow(["`\(profile.name)`"] + columns.map { words(row, $0) })
        }
        text += "\n\(table.variants.legend { "`\($0)`" })\n"
        forEachStory { heading, story in
            text += "\n**\(heading).** \(story.beginning)\n\n"
            text += story.lines.dropFirst().map { "\($0)\n" }.joined()
        }
        return text + "\n\(Quoting.markdown(searched))\n"
    }

    /// The table as a JSON object, with every attack.
    package var json: String {
        var cells: [String] = []
        for (row, profile) in threats.profiles.enumerated() {
            for aim in aims {
                let cell = threats.cell(row, aim)
                let differences = table.differences(row, aim).map { difference in
                    JSONText.object(
                        [
                            ("with", Quoting.json(difference.variant.words)),
                            ("assumptions", JSONText.assumptions(difference.assumed.fields(for: profile.holds))),
                        ]
                            + difference.cell.fields(difference.story.map(JSONText.story)))
                }
                cells.append(
                    JSONText.object(
                        [("profile", Quoting.json(profile.name)), ("aim", Quoting.json(aim.rawValue))]
                            + cell.fields(threats.story(row, aim).map(JSONText.story))
                            + [("otherwise", JSONText.list(differences))]))
            }
        }
        let searches = zip(threats.profiles, threats.extents).map { profile, extent in
            JSONText.object([("profile", Quoting.json(profile.name)), ("search", JSONText.extent(extent))])
        }
        return "{\n"
            + ([("name", Quoting.json(name))] + subject.fields
            + [
                ("assumptions", JSONText.assumptions(assumed.fields))
            ] + apps + [
                ("cells", JSONText.lines(cells)),
                ("searches", JSONText.lines(searches)),
            ]).map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}"
    }
}

extension ThreatsPage.Subject {
    /// The item or the file for programs.
    fileprivate var fields: [(String, String)] {
        switch self {
        case .item(let policy): [("policy", Quoting.json("\(policy.control)")), ("key", "\(policy.isKey)")]
        case .file(let file):
            [
                ("protection", Quoting.json(file.protection.name)),
                ("excludedFromBackup", "\(file.isExcludedFromBackup)"), ("open", "\(file.isOpen)"),
            ]
        }
    }
}

extension Threats.Cell {
    package var words: String {
        switch self {
        case .meaningless: "—"
        case .never: "never"
        case .steps(0): "already gone"
        case .steps(let count): counted(count, "step")
        case .undecided: "undecided"
        }
    }

    /// Returns the cell for programs, with its attack.
    func fields(_ story: String?) -> [(String, String)] {
        let steps = if case .steps(let count) = self { "\(count)" } else { "null" }
        return [("comesOfIt", Quoting.json(word)), ("steps", steps), ("story", story ?? "null")]
    }

    /// The outcome in a word for programs.
    private var word: String {
        switch self {
        case .meaningless: "meaningless"
        case .never: "never"
        case .steps: "reached"
        case .undecided: "undecided"
        }
    }
}

extension [ThreatsVariant] {
    /// Returns the meaning of their marks, in one sentence.
    func legend(quoting quote: (String) -> String = { $0 }) -> String {
        "After a dot is the result under another assumption: "
            + map { "\($0.mark) with \(quote($0.words))" }.joined(separator: ", ") + "."
    }
}
