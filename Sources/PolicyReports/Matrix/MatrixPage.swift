package import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
package import PolicyScenarios

/// The table of a policy, ready to write in several formats.
package struct MatrixPage: Sendable {
    /// The name of the policy, such as the names of its items.
    package let name: String
    package let policy: MatrixPolicy
    package let matrix: Matrix
    package let uses: [MatrixUse]
    /// The table of the devices of an account; nil if there is one device, or its use is not shown.
    package let account: AccountMatrix?
    /// The rules that deny something in the shown cells, in the order of their first cell.
    package let rules: [AnyRule]

    /// Creates the table of `policy` on `device`, and on the `devices` of its account if it has several. If `wanted` is nil, it
    /// shows all uses.
    package init(
        name: String, _ policy: MatrixPolicy, on device: MatrixDevice, of devices: [NamedDevice] = [],
        showing wanted: [MatrixUse]? = nil
    ) {
        self.name = name
        self.policy = policy
        matrix = Matrix(of: policy, on: device)
        let uses = matrix.uses.filter { wanted?.contains($0) != false }
        self.uses = uses
        let account = devices.isEmpty ? nil : AccountMatrix(of: policy, on: devices)
        self.account = account.flatMap { uses.contains($0.use) ? $0 : nil }
        var rules: [AnyRule] = []
        func note(_ rule: AnyRule?) { if let rule, !rules.contains(rule) { rules.append(rule) } }
        note(matrix.refusal.map { .item($0) })
        for use in uses {
            for condition in matrix.conditions {
                for person in MatrixPerson.allCases {
                    note(matrix.cell(use, by: person, in: condition)?.rule.map { .item($0) })
                }
            }
        }
        for row in self.account?.rows ?? [] {
            for person in MatrixPerson.allCases { note(row.cell(by: person).rule) }
        }
        self.rules = rules
    }

    /// Returns the text of a cell: `yes, biometry`, or `no` with the number of the rule on this page.
    func text(of cell: AccountMatrix.Cell) -> String {
        cell.rule.map { "no [\(number(of: $0))]" } ?? Self.yes(cell.authenticated)
    }

    /// Returns the text of a cell: `yes, biometry`, or `no` with the number of the rule on this page.
    func text(of cell: Matrix.Cell) -> String { text(of: AccountMatrix.Cell(cell)) }

    /// Returns the number of a rule on this page, counted from one.
    func number(of rule: AnyRule) -> Int { (rules.firstIndex(of: rule) ?? rules.count) + 1 }

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
        if let sentence = policy.syncSentence(isStored: matrix.refusal == nil) { sentences.append(sentence) }
        if account != nil && !policy.isSynchronizable {
            sentences.append("It does not ask to sync, so no other device of the account has it.")
        }
        if let refusal = matrix.refusal {
            sentences.append(
                "It cannot be stored on this device: \(refusal.summary) (\(refusal.identifier)). So there is nothing to "
                    + "find.")
        }
        return sentences
    }

    /// The device, in one or more sentences.
    var deviceSentence: String { matrix.device.sentence }

    /// The explanation of the tables.
    static let reading = [
        "Each row begins with an unlocked device on which the owner has just stored the item. Then the condition of the "
            + "row comes true. Each cell is a separate trial by one person, who answers the app's prompt as well as they "
            + "can. They do not unlock the device unless the row says so.",
        "After \"yes\" come the factors that they authenticated with, and after \"no\" the number of the rule that denies "
            + "access. If the item has an application password, the app passes the right one unless the row says otherwise.",
    ]

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
        let sensor = sensor.productName.map { "with \($0)" } ?? "without a sensor"
        let protection =
            settings.stolenDeviceProtection
            ? " Stolen Device Protection is on, and the device is away from familiar places." : ""
        let rest = grace + protection + permissions.map { " \($0)" }.joined() + (lack.map { " \($0)" } ?? "")
        if !isSetUp && companion == .notPaired && fingers == 0 {
            return "A simulated device \(sensor), not set up: no passcode, and nothing enrolled.\(rest)"
        }
        return
            "A simulated device \(sensor). \(isSetUp ? "A" : "No") passcode is set\(enrolled), and \(watch).\(rest)"
    }

    private var enrolled: String {
        let noun = sensor.noun
        return switch (sensor, fingers) {
        case (.none, _): ""
        case (_, 0): ", nothing is enrolled"
        case (_, 1): ", one \(noun) is enrolled"
        case (_, let count): ", \(count) \(noun)s are enrolled"
        }
    }

    private var watch: String {
        switch companion {
        case .notPaired: "no watch is paired"
        case .away: "a watch is paired and away"
        case .locked: "a watch is near and locked"
        case .ready: "a watch is near and unlocked"
        }
    }

    /// The lock grace in a sentence, if it is not the usual one.
    private var grace: String {
        settings.lockGrace == DeviceSettings().lockGrace ? "" : " Its lock grace is \(settings.lockGrace.written)."
    }

    /// The apps that may not use the sensor at once, in sentences.
    private var permissions: [String] {
        if !sensor.needsPermission { return [] }
        return apps.compactMap { app in
            let name = apps.count == 1 ? "The app" : Terminal.line(app.name)
            if !app.app.declaresUsage { return "\(name) has no usage text for the sensor, so it gets no biometry." }
            return switch app.app.permission {
            case .given: nil
            case .denied: "\(name) was refused the use of biometry."
            case .notAsked: "\(name) has not asked for the use of biometry yet."
            }
        }
    }
}

extension MatrixPolicy {
    /// Returns the sentence about an item that asks to sync; nil if it does not ask.
    func syncSentence(isStored: Bool = true) -> String? {
        if !isSynchronizable { return nil }
        let asks = "It asks to sync through iCloud Keychain"
        if !isStored { return asks + "." }
        guard let rule = syncObstacle else { return "\(asks), and the other devices of the account get it." }
        return "\(asks), but stays on this device: \(rule.summary) (\(rule.identifier))."
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
