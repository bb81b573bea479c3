package import AccessPolicy
package import DeviceModel
package import Latchkey
package import PolicyProver
package import ScenarioFormat
internal import SecretVault

/// A claim with all that it is about: one item, on a device as its owner leaves it.
package struct Proposition: Sendable {
    /// What the item's scenario is called; nil where options say it all.
    package let scenario: String?
    /// Where the claim stands; nil where it stands in no file.
    package let position: Position?
    /// The claim.
    package let claim: Claim
    /// What the item is called.
    package let itemName: String
    /// True if it is expected to hold.
    package let expectsHold: Bool
    /// The device and the item, for the prover.
    package let scene: Scene
    /// The same with the names that they have.
    package let setting: Setting

    /// The test of OWASP's guide that it is, if it is one.
    package internal(set) var test: MASTGTest?
    /// The steps that the answer goes by; nil where it goes by a search.
    var played: Played?

    /// What a story is told about by name.
    package struct Setting: Sendable {
        package let device: DeviceSetup
        package let app: AppSetup
        package let item: ItemSetup
    }

    /// What `claim` of a scenario says. Throws where the prover cannot be told of its device or item.
    init(_ claim: ClaimSetup, of scenario: Scenario) throws(StoringError) {
        let item = scenario.items[claim.item]
        self.scenario = scenario.name
        position = claim.position
        self.claim = Claim(claim.statement, assuming: claim.assumes)
        itemName = item.name
        expectsHold = claim.expectsHold
        setting = Setting(device: scenario.device, app: scenario.apps[item.app], item: item)
        let isKey = item.itemClass.isEnclaveKey(under: item.control)
        scene = try setting.scene(
            storing: Item(item.control, isKey: isKey, isSynchronizable: item.isSynchronizable), reuse: claim.reuse)
    }

    /// A claim about one item under `policy` on a device as people know it by name, with a companion that is at hand.
    package init(
        _ statement: Claim.Statement, about policy: MatrixPolicy, on preset: DevicePreset, reuse: TimeSpan = .zero,
        assuming assumes: Assumptions.Stated = .init()
    ) throws(StoringError) {
        try self.init(
            Claim(statement, assuming: assumes), about: policy, reuse: reuse, expectsHold: true, name: nil,
            device: DeviceSetup(
                settings: preset.settings, passcode: preset.passcode, enrolled: preset.enrolled,
                companion: preset.passcode == nil ? .notPaired : .ready))
    }

    /// One of the claims whose answer is known.
    package init(_ shipped: ShippedClaim) throws(StoringError) {
        let sensor = shipped.settings.sensor
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
        self.expectsHold = expectsHold
        let nowhere = Position(file: "", line: 0, column: 0)
        setting = Setting(
            device: device, app: AppSetup(name: "com.example.app", groups: ["com.example.app"]),
            item: ItemSetup(
                name: itemName, position: nowhere, itemClass: policy.isKey ? .key : .genericPassword,
                attributes: Attributes(), control: policy.control, app: 0, group: nil,
                isSynchronizable: policy.isSynchronizable, secret: nil,
                applicationPassword: policy.control.needsApplicationPassword ? "the app's password" : nil,
                isStored: true))
        scene = try setting.scene(storing: policy.item, reuse: reuse)
    }

    /// Finds out whether it is true.
    package func prove(limits: Limits = Limits(), tasks: Int = 1) async -> Proof {
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

extension Proposition.Setting {
    fileprivate func scene(storing item: Item, reuse: TimeSpan) throws(StoringError) -> Scene {
        var scene = try Scene(
            device.settings, hasPasscode: device.passcode != nil, fingers: device.enrolled.count,
            companion: device.companion, app: app.onDevice, storing: [item])
        scene.reuse = reuse
        return scene
    }
}

/// What came of proving a claim.
package struct Proof: Sendable {
    package let proposition: Proposition
    package let verdict: Verdict
    /// What was seen, where the answer goes by steps that were played.
    package let observation: String?

    init(proposition: Proposition, verdict: Verdict, observation: String? = nil) {
        self.proposition = proposition
        self.verdict = verdict
        self.observation = observation
    }

    /// True if it came out as expected.
    package var isAsExpected: Bool {
        switch verdict.answer {
        case .holds: proposition.expectsHold
        case .fails: !proposition.expectsHold
        case .undecided: false
        }
    }

    /// True if the search met its bound before it could tell, or the steps told nothing.
    package var isUndecided: Bool { verdict.answer == .undecided }
}

extension Proposition {
    /// All claims of these scenarios, in their order; what is in the way of proving one is told instead.
    ///
    /// Each device is put up first, as it is for steps: a claim about a device that cannot be would hold of nothing.
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
                do throws(StoringError) { propositions.append(try Proposition(claim, of: scenario)) } catch {
                    mistakes.append(ScenarioError(position: claim.position, message: "\(error)"))
                }
            }
        }
        return (propositions, mistakes)
    }
}
