package import AccessPolicy
internal import DeviceModel
internal import PlainText
package import PolicyScenarios

/// A table with what it is about, ready to be written in some format.
package struct MatrixPage: Sendable {
    /// What the policy is called, such as by the items that have it.
    package let name: String
    /// The policy.
    package let policy: MatrixPolicy
    /// The table.
    package let matrix: Matrix
    /// The uses that are shown.
    package let uses: [MatrixUse]
    /// The rules that stand in the way somewhere in what is shown, in the order of their first place there.
    package let rules: [Rule]

    /// The table of `policy` on `device`; of these uses, where not all are wanted.
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

    /// What a cell says: `yes, biometry`, or `no` with the number that the rule has on this page.
    func text(of cell: Matrix.Cell) -> String {
        switch cell.answer {
        case .granted(let way): Self.yes(way)
        case .denied(let rule): "no [\(number(of: rule))]"
        }
    }

    /// The number of a rule on this page.
    func number(of rule: Rule) -> Int { (rules.firstIndex(of: rule) ?? rules.count) + 1 }

    static func yes(_ way: FactorSet) -> String {
        way.isEmpty ? "yes" : "yes, " + way.map(\.name).joined(separator: " and ")
    }

    /// Calls `body` for every cell that is shown, use by use.
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

    /// The name of the policy with what it demands, such as `token: whenUnlocked, biometryAny`.
    var heading: String {
        let demand = "\(policy.control)"
        return name.isEmpty || name == demand ? demand : "\(Terminal.line(name)): \(demand)"
    }

    /// What the policy says, in whole sentences.
    package var sentences: [String] {
        let control = policy.control
        var sentences = [control.protection.sentence]
        let ways = control.ways(matrix.device.fidelity)
        sentences.append(policy.item.travel(inEncryptedBackup: true, matrix.device.fidelity).sentence)
        let thing = policy.isKey ? "use it" : "read it"
        if control.isProtected {
            sentences.append("To \(thing), somebody proves: \(ways).")
        } else {
            sentences.append("To \(thing), nobody has to prove anything.")
        }
        if control.requirements.contains(.biometryCurrentSet) {
            sentences.append("Biometry counts only while the enrollments are those of the moment it was stored.")
        }
        if policy.isKey { sentences.append("It is a private key: operations use it, and nothing brings it out.") }
        if policy.isSynchronizable { sentences.append("It asks to travel through iCloud Keychain.") }
        if let refusal = matrix.refusal {
            sentences.append(
                "It cannot be stored on this device: \(refusal.summary) (\(refusal.identifier)). What is not there, "
                    + "nobody finds.")
        }
        return sentences
    }

    /// The device, in a sentence.
    var deviceSentence: String {
        let device = matrix.device
        let sensor =
            switch device.sensor {
            case .none: "without a sensor"
            case .touchID: "with Touch ID"
            case .faceID: "with Face ID"
            case .opticID: "with Optic ID"
            }
        if !device.isSetUp { return "A simulated device \(sensor), as it comes: no passcode, and nobody enrolled." }
        let enrolled = device.sensor == .none ? "" : ", one \(device.sensor.noun) enrolled"
        let protection =
            device.settings.stolenDeviceProtection
            ? " Stolen Device Protection is on, and the device is away from familiar places." : ""
        return
            "A simulated device \(sensor), a passcode\(enrolled), and a watch that is near and unlocked.\(protection)"
            + (device.lack.map { " \($0)" } ?? "")
    }

    /// How to read any of these tables.
    static let reading = [
        "Each row begins anew with an unlocked device of which the owner has just stored the item, then lets happen what "
            + "the row says. Each cell is a trial by one person that changes nothing: they answer the app's prompt as far "
            + "as they can, and unlock no device unless the row says so.",
        "\"yes\" is followed by what they had to prove, \"no\" by the number of the rule that is in the way. Where the item "
            + "has an application password, the app brings the right one unless the row says otherwise.",
    ]

    /// What the tables cannot show.
    static let limits = [
        "The answers come from a simulated device that follows Apple's documents, headers, source and tests; where they "
            + "are silent it follows developers' reports or a choice of its own, and the rule says which.",
        "They say what the system demands of whoever holds the device. They say nothing of an app that hands a secret on "
            + "once it has it, of a broken operating system, or of somebody who is forced.",
    ]
}

extension Accessibility {
    /// When an item of this class opens, in a sentence.
    fileprivate var sentence: String {
        switch keyClass {
        case .always: "It opens whenever the device runs."
        case .afterFirstUnlock: "It opens from the first unlock after a start of the device."
        case .whenUnlocked: "It opens while the device is unlocked."
        case .whenPasscodeSet:
            "It opens while the device is unlocked, and is destroyed when the passcode is removed."
        }
    }
}

extension Travel {
    /// Where an encrypted backup brings an item, in a sentence.
    fileprivate var sentence: String {
        switch self {
        case .never: "No backup brings it back."
        case .sameDevice: "A backup brings it back on this device and no other."
        case .anywhere: "A backup brings it back on this device, and an encrypted one on others too."
        }
    }
}
