public import AccessPolicy
public import DeviceModel

/// A claim whose answer is known, about one demand: an example for whoever writes claims, and a trap for whoever changes the engine.
///
/// Each rule of the engine is what keeps some of these true, so an engine that has lost one gives another answer.
public struct ShippedClaim: Hashable, Sendable {
    /// What it is called, in kebab-case.
    public let name: String
    /// What it shows, in a sentence.
    public let about: String
    /// What the item demands.
    public let control: AccessControl
    /// How the device is made.
    public let settings: DeviceSettings
    /// How old an unlock by biometry may be to count as biometry for the app.
    public let reuse: TimeSpan
    /// The claim.
    public let claim: Claim
    /// Whether it is true.
    public let answer: Verdict.Answer
    /// How many steps the shortest story has; nil where there is none.
    public let steps: Int?

    init(
        _ name: String, _ about: String, _ flags: AccessControlFlags,
        in protection: Accessibility = .whenUnlockedThisDeviceOnly, on settings: DeviceSettings = DeviceSettings(),
        reuse: TimeSpan = .zero, assuming assumes: Assumptions.Stated = .init(), _ statement: Claim.Statement,
        _ answer: Verdict.Answer, inSteps steps: Int? = nil
    ) {
        self.name = name
        self.about = about
        do { control = try AccessControl(protection: protection, flags: flags) } catch {
            preconditionFailure("a claim is about flags that go together: \(error)")
        }
        self.settings = settings
        self.reuse = reuse
        claim = Claim(statement, assuming: assumes)
        self.answer = answer
        self.steps = steps
    }

    /// The app offers no way to delete the item.
    static let keepsItem = Assumptions.Stated(deletes: false)

    /// The device with the item.
    public var scene: Scene {
        get throws(StoringError) {
            var scene = try Scene(settings, storing: [Item(control, isKey: control.guardsKeyUse)])
            scene.reuse = reuse
            return scene
        }
    }

    /// All of them.
    public static let all: [ShippedClaim] =
        aboutPasscodes + aboutFingers + aboutCompanions + aboutClasses + aboutBackups + aboutKeysAndGroups
        + aboutAttempts + aboutOwners + aboutPrompts + aboutContexts
}
