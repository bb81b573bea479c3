package import AccessPolicy
package import DeviceModel

/// Who can do what with an item, in which condition of its device: the whole table, as the engine answers.
///
/// Two are equal where every answer is, whatever the policies were called: nobody in any of these conditions can tell
/// the two policies apart.
package struct Matrix: Hashable, Sendable {
    /// What came of one use by one person in one condition.
    package struct Cell: Hashable, Sendable {
        /// Whether they may, by what they proved; or the rule that is in the way.
        package enum Answer: Hashable, Sendable {
            /// They may, having proved this; nothing where nothing was demanded.
            case granted(FactorSet)
            /// They may not, by this rule.
            case denied(Rule)
        }

        /// Whether they may.
        package let answer: Answer
        /// What they were asked for, in order.
        package let asked: Prompts

        init(_ outcome: DeviceModel.Outcome) {
            asked = outcome.prompts
            switch outcome.decision {
            case .granted(let grant): answer = .granted(grant.way)
            case .denied(let denial): answer = .denied(denial.rule)
            case .challenge: preconditionFailure("a call that may ask is settled, one way or the other")
            }
        }

        /// True if they may.
        package var isGranted: Bool { if case .granted = answer { true } else { false } }
        /// The rule that is in the way, if one is.
        package var rule: Rule? { if case .denied(let rule) = answer { rule } else { nil } }
        /// What they proved, where they may.
        package var authenticated: FactorSet { if case .granted(let way) = answer { way } else { [] } }
    }

    /// The device.
    package let device: MatrixDevice
    /// The rule by which the item cannot be stored on the device; nil where it is there.
    package let refusal: Rule?
    /// The conditions that the device can come to.
    package private(set) var conditions: [MatrixCondition] = []
    /// What can be done with such an item.
    package let uses: [MatrixUse]
    private var cells: [Cell] = []

    /// What people can do with an item under `control` on a device that `sensor` and `fidelity` describe.
    package init(
        of control: AccessControl, isKey: Bool = false, isSynchronizable: Bool = false,
        fidelity: Fidelity = Fidelity(), sensor: SensorKind = .touchID
    ) {
        self.init(
            of: MatrixPolicy(control, isKey: isKey, isSynchronizable: isSynchronizable),
            on: MatrixDevice(sensor: sensor, fidelity: fidelity))
    }

    /// What people can do with an item under `policy` on `device`.
    package init(of policy: MatrixPolicy, on device: MatrixDevice) {
        self.device = device
        uses = MatrixUse.uses(ofKey: policy.isKey, device.fidelity)
        let begin = MatrixStage(policy, device)
        refusal = begin.refusal
        cells.reserveCapacity(MatrixCondition.allCases.count * MatrixPerson.allCases.count * uses.count)
        for condition in MatrixCondition.allCases {
            var stage = begin
            condition.arrange(&stage)
            guard stage.couldHappen else { continue }
            conditions.append(condition)
            for person in MatrixPerson.allCases {
                stage.welcome(person)
                for use in uses { cells.append(stage.attempt(use)) }
            }
        }
    }

    /// What comes of `use` by `person` in `condition`; nil where the device never comes to it, or the item has no such use.
    package func cell(_ use: MatrixUse, by person: MatrixPerson, in condition: MatrixCondition) -> Cell? {
        guard let row = conditions.firstIndex(of: condition), let column = uses.firstIndex(of: use) else { return nil }
        return self[row, person, column]
    }

    subscript(row: Int, person: MatrixPerson, use: Int) -> Cell {
        cells[(row * MatrixPerson.allCases.count + Int(person.number)) * uses.count + use]
    }
}

/// What an item demands, and what kind it is.
package struct MatrixPolicy: Hashable, Sendable {
    /// What it demands.
    package var control: AccessControl
    /// True if it is a private key, used by operations and never read.
    package var isKey: Bool
    /// True if it asks to travel through iCloud Keychain.
    package var isSynchronizable: Bool

    package init(_ control: AccessControl, isKey: Bool = false, isSynchronizable: Bool = false) {
        self.control = control
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
    }

    /// An item that has it, not stored yet.
    package var item: Item { Item(control, isKey: isKey, isSynchronizable: isSynchronizable) }
}

/// The device that a table is about.
package struct MatrixDevice: Hashable, Sendable {
    /// How it is made.
    package var settings: DeviceSettings
    /// True if its owner has set a passcode and is enrolled.
    package var isSetUp: Bool

    /// A device that is made so.
    package init(_ settings: DeviceSettings, isSetUp: Bool = true) {
        self.settings = settings
        self.isSetUp = isSetUp
    }

    /// A device that is as usual but for its sensor and the disputed points.
    package init(sensor: SensorKind = .touchID, fidelity: Fidelity = Fidelity(), isSetUp: Bool = true) {
        self.init(DeviceSettings(sensor: sensor, fidelity: fidelity), isSetUp: isSetUp)
    }

    /// The behavior of such a device that the model lacks, in a sentence; nil if it changes no row.
    package var lack: String? {
        isMac
            ? "Auto Unlock is not modeled: on a Mac that has it on, a person who wears the owner's unlocked watch unlocks the "
                + "Mac."
            : nil
    }

    /// True if it behaves as only a Mac does.
    package var isMac: Bool {
        switch fidelity.presence {
        case .biometryOrPasscode: false
        case .biometryCompanionOrPasscode: true
        }
    }

    /// Its sensor.
    package var sensor: SensorKind { settings.sensor }
    /// How the disputed points are settled.
    package var fidelity: Fidelity { settings.fidelity }
}
