package import AccessPolicy
internal import DeviceModel
internal import PlainText
package import PolicyScenarios

/// The table of a policy, ready to write in several formats.
package struct MatrixPage: Sendable {
    /// The name of the policy, such as the names of its items.
    package let name: String
    /// The policy.
    package let policy: MatrixPolicy
    /// The table.
    package let matrix: Matrix
    /// The uses to show.
    package let uses: [MatrixUse]
    /// The rules that deny something in the shown cells, in the order of their first cell.
    package let rules: [Rule]

    /// Creates the table of `policy` on `device`. If `wanted` is nil, it shows all uses.
    package init(name: String, _ policy: MatrixPolicy, on device: MatrixDevice, showing wanted: [MatrixUse]? = nil) {
        self.name = name
        self.policy = policy
        matrix = Matrix(of: policy, on: device)
        uses = matrix.uses.filter { wanted?.contains($0) != false }
        var rules: [Rule] = []
        if let refusal = matrix.refusal { rules.append(refusal) }
        for use in uses {
            for condition in matrix.conditions {
                for person in MatrixPerson.allCases {
                    if let rule = matrix.cell(use, by: person, in: condition)?.rule, !rules.contains(rule) {
                        rules.append(rule)
                    }
                }
            }
        }
        self.rules = rules
    }

    /// Returns the text of a cell: `yes, biometry`, or `no` with the number of the rule on this page.
    func text(of cell: Matrix.Cell) -> String {
        switch cell.answer {
        case .granted(let way): Self.yes(way)
        case .denied(let rule): "no [\(number(of: rule))]"
        }
    }

    /// Returns the number of a rule on this page, counted from one.
    func number(of rule: Rule) -> Int { (rules.firstIndex(of: rule) ?? rules.count) + 1 }

    /// Returns the text of a cell that is granted with these factors.
    static func yes(_ way: FactorSet) -> String {
        way.isEmpty ? "yes" : "yes, " + way.map(\.name).joined(separator: " and ")
    }

    /// Calls `body` for every shown cell, use by use.
    func forEachCell(
        _ body: (MatrixUse, MatrixCondition, MatrixPerson, Matrix.Cell) -> Void
    ) {
        for use in uses {
            for condition in matrix.conditions {
                for person in MatrixPerson.allCases {
                    if let cell = matrix.cell(use, by: person, in: condition) { body(use, condition, person, cell) }
                }
            }
        }
    }

    // MARK: - Words

    /// The name with the policy itself, such as `token: whenUnlocked, biometryAny`.
    var heading: String {
        let demand = "\(policy.control)"
        return name.isEmpty || name == demand ? demand : "\(Terminal.line(name)): \(demand)"
    }

    /// The meaning of the policy, in sentences.
    package var sentences: [String] {
        let control = policy.control
        var sentences = [control.protection.sentence]
        let ways = control.ways(matrix.device.fidelity)
        sentences.append(policy.item.travel(inEncryptedBackup: true, matrix.device.fidelity).sentence)
        let use = policy.isKey ? "Using" : "Reading"
        sentences.append("\(use) it takes \(control.isProtected ? "\(ways)" : "no authentication").")
        if control.requirements.contains(.biometryCurrentSet) {
            sentences.append("Biometry counts only while the enrolled set is the same as when the item was stored.")
        }
        if policy.isKey { sentences.append("It is a private key: operations use it, and no call reads it.") }
        if policy.isSynchronizable { sentences.append(Self.asksToSync) }
        if let refusal = matrix.refusal {
            sentences.append(
                "It cannot be stored on this device: \(refusal.summary) (\(refusal.identifier)). So there is nothing to "
                    + "find.")
        }
        return sentences
    }

    /// The device, in one or more sentences.
    var deviceSentence: String { matrix.device.sentence }

    /// The sentence about an item that asks to sync.
    static let asksToSync = "It asks to sync through iCloud Keychain."

    /// The explanation of the tables.
    static let reading = [
        "Each row begins with an unlocked device on which the owner has just stored the item. Then the condition of the "
            + "row comes true. Each cell is a separate trial by one person, who answers the app's prompt as well as they "
            + "can. They do not unlock the device unless the row says so.",
        "After \"yes\" come the factors that they authenticated with, and after \"no\" the number of the rule that denies "
            + "access. If the item has an application password, the app passes the right one unless the row says otherwise.",
    ]

    /// The limits of the tables.
    static let limits = [
        "The answers come from a simulated device that follows Apple's documents, headers, source code and tests. Where "
            + "those are silent, it follows reports of developers or a choice of its own, and the rule says which.",
        "They show what the system requires of the person who holds the device. They do not cover an app that passes a "
            + "secret on, a compromised operating system, or a user who is forced to authenticate.",
    ]
}

extension MatrixDevice {
    /// The device, in one or more sentences.
    var sentence: String {
        let sensor =
            switch sensor {
            case .none: "without a sensor"
            case .touchID: "with Touch ID"
            case .faceID: "with Face ID"
            case .opticID: "with Optic ID"
            }
        if !isSetUp { return "A simulated device \(sensor), not set up: no passcode, and nothing enrolled." }
        let enrolled = self.sensor == .none ? "" : ", one \(self.sensor.noun) is enrolled"
        let protection =
            settings.stolenDeviceProtection
            ? " Stolen Device Protection is on, and the device is away from familiar places." : ""
        return
            "A simulated device \(sensor). A passcode is set\(enrolled), and a watch is near and unlocked.\(protection)"
            + (lack.map { " \($0)" } ?? "")
    }
}

extension Accessibility {
    /// The times at which an item of this class opens, in a sentence.
    fileprivate var sentence: String {
        switch keyClass {
        case .always: "It opens whenever the device runs."
        case .afterFirstUnlock: "It opens after the first unlock since the device started."
        case .whenUnlocked: "It opens while the device is unlocked."
        case .whenPasscodeSet:
            "It opens while the device is unlocked, and is destroyed when the passcode is removed."
        }
    }
}

extension Travel {
    /// The devices onto which a backup restores an item, in a sentence.
    fileprivate var sentence: String {
        switch self {
        case .never: "No backup restores it."
        case .sameDevice: "A backup restores it onto this device and no other."
        case .anywhere: "A backup restores it onto this device, and an encrypted backup onto others too."
        }
    }
}
