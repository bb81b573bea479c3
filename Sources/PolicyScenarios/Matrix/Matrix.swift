package import AccessPolicy
package import DeviceModel
package import PolicyProver

/// A table of what each person can do with an item in each condition of its device, as the engine answers.
///
/// Two tables are equal if all their answers are, whatever the names of the policies. In none of these conditions can a
/// person then tell the two policies apart.
package struct Matrix: Hashable, Sendable {
    /// The result of one use by one person in one condition.
    package struct Cell: Hashable, Sendable {
        /// The answer: granted with some factors, or denied by a rule.
        package enum Answer: Hashable, Sendable {
            /// The person may, after giving these factors. The set is empty if the policy asks for none.
            case granted(FactorSet)
            /// The person may not, because of this rule.
            case denied(Rule)
        }

        package let answer: Answer
        /// The prompts that the person saw, in order.
        package let asked: Prompts

        init(_ outcome: DeviceModel.Outcome) {
            asked = outcome.prompts
            switch outcome.decision {
            case .granted(let grant): answer = .granted(grant.way)
            case .denied(let denial): answer = .denied(denial.rule)
            case .challenge: preconditionFailure("a call that may ask is settled, one way or the other")
            }
        }

        /// True if the person may.
        package var isGranted: Bool { if case .granted = answer { true } else { false } }
        /// The rule that denies it, or nil if none does.
        package var rule: Rule? { if case .denied(let rule) = answer { rule } else { nil } }
        /// The factors that the person gave, or the empty set if the answer is a denial.
        package var authenticated: FactorSet { if case .granted(let way) = answer { way } else { [] } }
    }

    package let device: MatrixDevice
    /// The rule because of which the device cannot store the item, or nil if it can.
    package let refusal: Rule?
    /// The conditions that can occur on the device, one row each.
    package private(set) var conditions: [MatrixCondition] = []
    /// The uses that such an item has.
    package let uses: [MatrixUse]
    private var cells: [Cell] = []

    /// Fills the table for an item under `control`, on a device with this sensor and these choices.
    package init(
        of control: AccessControl, isKey: Bool = false, isSynchronizable: Bool = false,
        fidelity: Fidelity = Fidelity(), sensor: SensorKind = .touchID
    ) {
        self.init(
            of: MatrixPolicy(control, isKey: isKey, isSynchronizable: isSynchronizable),
            on: MatrixDevice(sensor: sensor, fidelity: fidelity))
    }

    /// Fills the table for an item under `policy` on `device`.
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

    /// Returns the result of `use` by `person` in `condition`, or nil if the device never meets it or the item has no
    /// such use.
    package func cell(_ use: MatrixUse, by person: MatrixPerson, in condition: MatrixCondition) -> Cell? {
        guard let row = conditions.firstIndex(of: condition), let column = uses.firstIndex(of: use) else { return nil }
        return self[row, person, column]
    }

    subscript(row: Int, person: MatrixPerson, use: Int) -> Cell {
        cells[(row * MatrixPerson.allCases.count + Int(person.number)) * uses.count + use]
    }
}

/// The access policy of an item, and its kind.
package struct MatrixPolicy: Hashable, Sendable {
    /// The accessibility class and the flags.
    package var control: AccessControl
    /// True if the item is a private key, which apps use and never read.
    package var isKey: Bool
    /// True if the item asks to synchronize through iCloud Keychain.
    package var isSynchronizable: Bool

    package init(_ control: AccessControl, isKey: Bool = false, isSynchronizable: Bool = false) {
        self.control = control
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
    }

    /// A new item with this policy.
    package var item: Item { Item(control, isKey: isKey, isSynchronizable: isSynchronizable) }
}

/// The device that a table or a search is about, as its owner leaves it.
package struct MatrixDevice: Hashable, Sendable {
    package var settings: DeviceSettings
    /// True if its owner has set a passcode.
    package var isSetUp: Bool
    package var kind: DeviceKind
    /// The number of fingers or faces that the owner has enrolled.
    package var fingers: Int
    /// The state of the owner's companion.
    package var companion: CompanionState
    /// The apps of the item's access group. The first one stored the item, and tables are about what it asks.
    package var apps: [NamedApp]
    /// True if it is in an account of its owner, who has another device there.
    package var hasAccount = false
    /// True if that other device has a passcode.
    package var otherHasPasscode = true

    /// Creates a device with these settings. If it is set up, its owner has enrolled a finger and wears a watch.
    package init(
        _ settings: DeviceSettings, isSetUp: Bool = true, kind: DeviceKind? = nil, fingers: Int? = nil,
        companion: CompanionState? = nil, apps: [NamedApp] = [NamedApp()]
    ) {
        self.settings = settings
        self.isSetUp = isSetUp
        // Only a Mac takes the watch for user presence, unless a file says otherwise.
        self.kind = kind ?? (settings.fidelity.presence == .biometryCompanionOrPasscode ? .mac : .iPhone)
        self.fingers = fingers ?? (isSetUp && settings.sensor != .none ? 1 : 0)
        self.companion = companion ?? (isSetUp ? .ready : .notPaired)
        self.apps = apps
    }

    /// Creates a device with the usual settings, except for its sensor and the disputed points of Apple's behavior.
    package init(sensor: SensorKind = .touchID, fidelity: Fidelity = Fidelity(), isSetUp: Bool = true) {
        self.init(DeviceSettings(sensor: sensor, fidelity: fidelity), isSetUp: isSetUp)
    }

    /// A sentence about behavior of the real device that the model lacks, or nil if the table lacks none.
    package var lack: String? {
        kind == .mac
            ? "Auto Unlock is not modeled: on a Mac that has it on, a person who wears the owner's unlocked watch unlocks the "
                + "Mac."
            : nil
    }

    /// True if a watch could unlock the device by Auto Unlock, which the model lacks.
    var isUnlockableByWatch: Bool { kind == .mac && companion != .notPaired }

    package var sensor: SensorKind { settings.sensor }
    /// The choices for the disputed points of Apple's behavior.
    package var fidelity: Fidelity { settings.fidelity }
}
