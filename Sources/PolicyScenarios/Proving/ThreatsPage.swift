internal import AccessPolicy
package import DeviceModel
package import PolicyProver

/// Who can come to what with one item, ready to be written in some format.
package struct ThreatsPage: Sendable {
    /// What the policy is called, such as by the items that have it.
    package let name: String
    /// The policy.
    package let policy: MatrixPolicy
    /// The table.
    package let threats: Threats
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
        name: String, _ policy: MatrixPolicy, on device: MatrixDevice, telling told: Told = .none
    ) throws(NotStored) {
        self.name = name
        self.policy = policy
        self.told = told
        threats = Threats(try Scene(policy, on: device))
        aims = Aim.allCases.filter { $0.isOpen(toKey: policy.isKey) }
    }

    private var heading: String {
        let demand = "\(policy.control)" + (policy.isKey && !policy.control.guardsKeyUse ? ", a private key" : "")
        return name.isEmpty || name == "\(policy.control)" ? demand : "\(printable(name)): \(demand)"
    }

    private var searched: String {
        let situations = threats.extents.reduce(0) { $0 + $1.situations }
        let moves = threats.extents.reduce(0) { $0 + $1.moves }
        let lack = MatrixDevice(threats.scene.world.device.settings).lack.map { " \($0)" } ?? ""
        return "Searched: \(counted(situations, "situation")), \(counted(moves, "move")).\(lack)"
    }

    /// Calls `body` for every cell that has a story to be told.
    private func forEachStory(_ body: (Profile, Aim, Story) -> Void) {
        for (row, profile) in threats.profiles.enumerated() {
            for aim in aims {
                switch told {
                case .none: continue
                case .one(let one, let other) where one != profile || other != aim: continue
                case .one, .all: if let story = threats.story(row, aim) { body(profile, aim, story) }
                }
            }
        }
    }

    /// As a terminal shows it.
    package func table(coloured: Bool) -> String {
        var table = TextTable()
        table.rows.append([.init("profile", .heading)] + Aim.allCases.map { .init($0.rawValue, .heading) })
        for (row, profile) in threats.profiles.enumerated() {
            table.rows.append(
                [.init(profile.name)]
                    + Aim.allCases.map { aim in
                        let cell = threats.cell(row, aim)
                        return .init(cell.words, cell == .never ? .good : cell == .meaningless ? .faint : .bad)
                    })
        }
        var text = "\(heading)\n\n\(table.text(coloured: coloured))"
        forEachStory { profile, aim, story in
            text += "\n\(profile.name), \(aim.rawValue):\n" + story.lines.map { "  \($0)\n" }.joined()
        }
        return text + "\n\(searched)\n"
    }

    /// As markdown.
    package var markdown: String {
        var text = "## \(heading)\n\n"
        text += Quoting.markdownRow(["profile"] + Aim.allCases.map(\.rawValue))
        text += Quoting.markdownRow(["---"] + Aim.allCases.map { _ in "---" })
        for (row, profile) in threats.profiles.enumerated() {
            text += Quoting.markdownRow(["`\(profile.name)`"] + Aim.allCases.map { threats.cell(row, $0).words })
        }
        forEachStory { profile, aim, story in
            text += "\n**\(profile.name), \(aim.rawValue).** \(story.beginning)\n\n"
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
                let steps = if case .steps(let count) = cell { "\(count)" } else { "null" }
                cells.append(
                    JSONText.object([
                        ("profile", Quoting.json(profile.name)), ("aim", Quoting.json(aim.rawValue)),
                        ("comesOfIt", Quoting.json(cell.word)), ("steps", steps),
                        ("story", threats.story(row, aim).map(JSONText.story) ?? "null"),
                    ]))
            }
        }
        let searches = zip(threats.profiles, threats.extents).map { profile, extent in
            JSONText.object([("profile", Quoting.json(profile.name)), ("search", JSONText.extent(extent))])
        }
        return "{\n"
            + [
                ("name", Quoting.json(name)), ("policy", Quoting.json("\(policy.control)")),
                ("key", "\(policy.isKey)"), ("cells", JSONText.lines(cells)), ("searches", JSONText.lines(searches)),
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

    /// What a program reads.
    var word: String {
        switch self {
        case .meaningless: "meaningless"
        case .never: "never"
        case .steps: "reached"
        case .undecided: "undecided"
        }
    }
}

extension Scene {
    /// A device of the tables with one item under each policy.
    package init(_ policies: MatrixPolicy..., on device: MatrixDevice) throws(NotStored) {
        try self.init(
            device.settings, hasPasscode: device.isSetUp, fingers: device.isSetUp ? 1 : 0,
            storing: policies.map(\.item))
    }
}
