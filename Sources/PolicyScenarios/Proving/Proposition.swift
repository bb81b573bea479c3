package import AccessPolicy
package import DeviceModel
internal import Latchkey
package import PolicyProver
package import ScenarioFormat
internal import SecretVault

/// A claim with everything that it is about: one item or file, on a device as its owner leaves it.
package struct Proposition: Sendable {
    /// The name of the item's scenario or of the shipped claim, or nil if the claim comes from options.
    package let scenario: String?
    /// The position of the claim, or nil if it is in no file.
    package let position: Position?
    package let claim: Claim
    /// The name of the item or the file.
    package let itemName: String
    /// True if the claim is expected to hold.
    package let expectsHold: Bool
    /// The device and the item as the prover searches them.
    package let scene: Scene
    /// The device and the item with the names and passcodes that a scenario file needs.
    package let setting: Setting

    /// The test of OWASP's guide that the claim stands for, if any.
    package internal(set) var test: MASTGTest?
    /// The steps that the answer rests on, or nil if it rests on a search.
    var played: Played?
    package let device: MatrixDevice
    /// True if a file declares the apps.
    package let namesApps: Bool

    /// The declarations from which a story can be written as a scenario.
    package struct Setting: Sendable {
        package let device: DeviceSetup
        /// The apps that have the item's access group, beginning with the one that stored it, or the app that the file
        /// belongs to.
        package let apps: [AppSetup]
        /// The item or the file.
        package let subject: Subject

        /// The app that stored the item, or that the file belongs to.
        package var app: AppSetup { apps[0] }

        /// The item; nil if the claim is about a file.
        package var item: ItemSetup? { if case .item(let item) = subject { item } else { nil } }
    }

    /// The subject of a claim.
    package enum Subject: Sendable {
        case item(ItemSetup)
        case file(FileSetup)
    }

    /// Creates the proposition of a claim in `scenario`.
    ///
    /// - Throws: `StoringError` if the device cannot store the item.
    init(_ claim: ClaimSetup, of scenario: Scenario) throws(StoringError) {
        self.scenario = scenario.name
        position = claim.position
        self.claim = Claim(claim.statement, assuming: claim.assumes)
        expectsHold = claim.expectsHold
        namesApps = scenario.apps != [Self.exampleApp]
        if claim.statement.aim?.isAboutFile == true {
            let file = scenario.files[claim.item]
            itemName = file.name
            setting = Setting(device: scenario.device, apps: [scenario.apps[0]], subject: .file(file))
            device = MatrixDevice(forFilesOf: scenario)
            scene = try Scene(file.slot, on: device)
            return
        }
        let item = scenario.items[claim.item]
        itemName = item.name
        setting = Setting(device: scenario.device, apps: scenario.apps(sharing: item), subject: .item(item))
        device = MatrixDevice(scenario, of: item)
        var scene = try Scene(MatrixPolicy(item), on: device)
        scene.reuse = claim.reuse
        self.scene = scene
    }

    /// Creates a claim about one item under `policy` on a device of a preset, whose owner wears a companion if it has a
    /// passcode.
    ///
    /// - Throws: `StoringError` if the device cannot store the item.
    package init(
        _ statement: Claim.Statement, about policy: MatrixPolicy, on preset: DevicePreset, reuse: TimeSpan = .zero,
        assuming assumes: Assumptions.Stated = .init()
    ) throws(StoringError) {
        try self.init(
            Claim(statement, assuming: assumes), about: policy, reuse: reuse, expectsHold: true, name: nil,
            device: DeviceSetup(
                settings: preset.settings, passcode: preset.passcode, enrolled: preset.enrolled,
                companion: preset.passcode == nil ? .notPaired : .ready, kind: preset.kind))
    }

    /// Creates a claim about one file on a device of a preset.
    ///
    /// - Throws: `StoringError` if the device cannot be set up.
    package init(
        _ statement: Claim.Statement, about file: FileSlot, on preset: DevicePreset,
        assuming assumes: Assumptions.Stated = .init()
    ) throws(StoringError) {
        try self.init(
            Claim(statement, assuming: assumes), about: file, expectsHold: true, name: nil,
            device: DeviceSetup(
                settings: preset.settings, passcode: preset.passcode, enrolled: preset.enrolled,
                companion: preset.passcode == nil ? .notPaired : .ready, kind: preset.kind))
    }

    /// Creates the proposition of a shipped claim.
    ///
    /// - Throws: `StoringError` if the device cannot store the item.
    package init(_ shipped: ShippedClaim) throws(StoringError) {
        let sensor = shipped.settings.sensor
        if let file = shipped.file {
            try self.init(
                shipped.claim, about: file, expectsHold: shipped.answer == .holds, name: shipped.name,
                device: DeviceSetup(
                    settings: shipped.settings, passcode: "1234",
                    enrolled: Array(sensor.usuallyEnrolled.prefix(1)), companion: .ready))
            return
        }
        try self.init(
            shipped.claim,
            about: MatrixPolicy(shipped.control, isKey: shipped.control.guardsKeyUse), reuse: shipped.reuse,
            expectsHold: shipped.answer == .holds, name: shipped.name,
            device: DeviceSetup(
                settings: shipped.settings, passcode: "1234",
                enrolled: Array(sensor.usuallyEnrolled.prefix(1)), companion: .ready))
    }

    private init(
        _ claim: Claim, about policy: MatrixPolicy, reuse: TimeSpan, expectsHold: Bool, name: String?,
        device: DeviceSetup
    ) throws(StoringError) {
        scenario = name
        position = nil
        self.claim = claim
        itemName = "item"
        namesApps = false
        self.expectsHold = expectsHold
        let nowhere = Position(file: "", line: 0, column: 0)
        setting = Setting(
            device: device, apps: [Self.exampleApp],
            subject: .item(
                ItemSetup(
                    name: itemName, position: nowhere, itemClass: policy.isKey ? .key : .genericPassword,
                    attributes: Attributes(), control: policy.control, app: 0, group: nil,
                    isSynchronizable: policy.isSynchronizable, secret: nil,
                    applicationPassword: policy.control.needsApplicationPassword ? "the app's password" : nil,
                    isStored: true)))
        var matrixDevice = MatrixDevice(device, setting.apps)
        matrixDevice.hasAccount = claim.concernsAccount || policy.isSynchronizable
        self.device = matrixDevice
        var scene = try Scene(policy, on: self.device)
        scene.reuse = reuse
        self.scene = scene
    }

    private init(
        _ claim: Claim, about file: FileSlot, expectsHold: Bool, name: String?, device: DeviceSetup
    ) throws(StoringError) {
        scenario = name
        position = nil
        self.claim = claim
        itemName = "file"
        namesApps = false
        self.expectsHold = expectsHold
        setting = Setting(
            device: device, apps: [Self.exampleApp],
            subject: .file(
                FileSetup(
                    name: itemName, position: Position(file: "", line: 0, column: 0), protection: file.protection,
                    isExcludedFromBackup: file.isExcludedFromBackup, isOpen: file.isOpen)))
        self.device = MatrixDevice(device, setting.apps)
        scene = try Scene(file, on: self.device)
    }

    private static let exampleApp = AppSetup(name: "com.example.app", groups: ["com.example.app"])

    /// Proves the claim by a search with `tasks` tasks, or by playing its steps.
    package func prove(limits: SearchLimits = SearchLimits(), tasks: Int = 1) async -> Proof {
        if let test, let played {
            let (answer, observation) = played.prove(test)
            let nothing = Extent(situations: 0, depth: 0, moves: 0, bytes: 0)
            return Proof(
                proposition: self,
                verdict: Verdict(answer: answer, story: nil, extent: nothing, assumptions: claim.assumptions),
                observation: observation)
        }
        return Proof(proposition: self, verdict: await Prover(scene, limits: limits, tasks: tasks).prove(claim))
    }
}

extension FileSetup {
    /// The file as the prover has it.
    package var slot: FileSlot {
        FileSlot(protection, isExcludedFromBackup: isExcludedFromBackup, isOpen: isOpen)
    }
}

/// The result of proving a claim.
package struct Proof: Sendable {
    /// The claim, with everything that it is about.
    package let proposition: Proposition
    package let verdict: Verdict
    /// The observation while the steps played, or nil if the answer comes from a search.
    package let observation: String?

    init(proposition: Proposition, verdict: Verdict, observation: String? = nil) {
        self.proposition = proposition
        self.verdict = verdict
        self.observation = observation
    }

    /// True if the answer is the expected one.
    package var isAsExpected: Bool {
        switch verdict.answer {
        case .holds: proposition.expectsHold
        case .fails: !proposition.expectsHold
        case .undecided: false
        }
    }

    /// True if the search met its limit before it could tell, or the steps did not exercise the test.
    package var isUndecided: Bool { verdict.answer == .undecided }
}

extension Proposition {
    /// Returns all claims of these scenarios in order, and the mistakes that keep a claim from being proved.
    ///
    /// It first sets up each device, as playing would. On a device that cannot exist, every claim would hold.
    package static func all(of scenarios: [Scenario]) -> (propositions: [Proposition], mistakes: [ScenarioError]) {
        var propositions: [Proposition] = []
        var mistakes: [ScenarioError] = []
        for var scenario in scenarios {
            scenario.steps = []
            if let trouble = scenario.run().trouble {
                mistakes.append(ScenarioError(position: trouble.position, message: trouble.actual))
                continue
            }
            for claim in scenario.claims {
                do { propositions.append(try Proposition(claim, of: scenario)) } catch {
                    mistakes.append(ScenarioError(position: claim.position, message: "\(error)"))
                }
            }
        }
        return (propositions, mistakes)
    }
}
