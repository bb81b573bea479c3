internal import AccessPolicy
package import DeviceModel
internal import PlainText
package import PolicyProver
package import PolicyScenarios

/// Who can come to what with one item, ready to be written in some format.
package struct ThreatsPage: Sendable {
    /// What the policy is called, such as by the items that have it.
    package let name: String
    /// The policy.
    package let policy: MatrixPolicy
    /// The table, with what differs in other worlds.
    let table: ThreatsTable
    /// The assumptions.
    private let assumed: Assumed
    private var threats: Threats { table.base }
    /// What the item can be used for.
    package let aims: [Aim]
    /// Which stories are told.
    package let told: Told

    /// Which stories are told.
    package enum Told: Sendable {
        /// None.
        case none
        /// Of every cell.
        case all
        /// Of one.
        case one(Profile, Aim)
    }

    /// The table of an item with `policy` on `device`. Fails where it cannot be stored there.
    package init(
        name: String, _ policy: MatrixPolicy, on device: MatrixDevice, assuming stated: Assumptions.Stated = .init(),
        telling told: Told = .none
    ) throws(StoringError) {
        self.name = name
        self.policy = policy
        self.told = told
        table = ThreatsTable(try Scene(policy, on: device), assuming: stated)
        assumed = Assumed(Assumptions(stated), on: device.settings)
        aims = Aim.allCases.filter { $0.isOpen(toKey: policy.isKey) }
    }

    private var heading: String {
        let demand = "\(policy.control)" + (policy.isKey && !policy.control.guardsKeyUse ? ", a private key" : "")
        return name.isEmpty || name == "\(policy.control)" ? demand : "\(Terminal.line(name)): \(demand)"
    }

    private var searched: String {
        let situations = table.extents.reduce(0) { $0 + $1.situations }
        let moves = table.extents.reduce(0) { $0 + $1.moves }
        let lack = MatrixDevice(threats.scene.world.device.settings).lack.map { " \($0)" } ?? ""
        return "Searched: \(counted(situations, "situation")), \(counted(moves, "move")).\(lack)"
    }

    /// Calls `body` for every cell that has a story to be told, in the world of the table and in those where it differs.
    private func forEachStory(_ body: (_ heading: String, Story) -> Void) {
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

    /// Returns the text of a cell.
    private func words(_ row: Int, _ aim: Aim) -> String {
        ([threats.cell(row, aim).words]
            + table.differences(row, aim).map { "\($0.variant.mark) \($0.cell.words)" }).joined(separator: " · ")
    }

    /// As a terminal shows it.
    package func text(colored: Bool) -> String {
        var table = TextTable()
        table.rows.append([.init("profile", .heading)] + Aim.allCases.map { .init($0.rawValue, .heading) })
        for (row, profile) in threats.profiles.enumerated() {
            table.rows.append(
                [.init(profile.name)]
                    + Aim.allCases.map { aim in
                        let cell = threats.cell(row, aim)
                        return .init(words(row, aim), cell == .never ? .good : cell == .meaningless ? .faint : .bad)
                    })
        }
        var text = "\(heading)\nassuming \(assumed)\n\n\(table.text(colored: colored))"
        text += "\n\(self.table.variants.legend())\n"
        forEachStory { heading, story in
            text += "\n\(heading):\n" + story.lines.map { "  \($0)\n" }.joined()
        }
        return text + "\n\(searched)\n"
    }

    /// As markdown.
    package var markdown: String {
        var text = "## \(heading)\n\nAssuming `\(assumed)`.\n\n"
        text += Quoting.markdownRow(["profile"] + Aim.allCases.map(\.rawValue))
        text += Quoting.markdownRow(["---"] + Aim.allCases.map { _ in "---" })
        for (row, profile) in threats.profiles.enumerated() {
            text += Quoting.markdownRow(["`\(profile.name)`"] + Aim.allCases.map { words(row, $0) })
        }
        text += "\n\(table.variants.legend { "`\($0)`" })\n"
        forEachStory { heading, story in
            text += "\n**\(heading).** \(story.beginning)\n\n"
            text += story.lines.dropFirst().map { "\($0)\n" }.joined()
        }
        return text + "\n\(searched)\n"
    }

    /// As JSON: an object, with every story that there is.
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
            + [
                ("name", Quoting.json(name)), ("policy", Quoting.json("\(policy.control)")),
                ("key", "\(policy.isKey)"), ("assumptions", JSONText.assumptions(assumed.fields)),
                ("cells", JSONText.lines(cells)),
                ("searches", JSONText.lines(searches)),
            ].map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}"
    }
}

extension Threats.Cell {
    /// What a table says.
    package var words: String {
        switch self {
        case .meaningless: "—"
        case .never: "never"
        case .steps(0): "already gone"
        case .steps(let count): counted(count, "step")
        case .undecided: "not found out"
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
        "A cell says after a dot what comes of it otherwise: "
            + map { "\($0.mark) with \(quote($0.words))" }.joined(separator: ", ") + "."
    }
}
