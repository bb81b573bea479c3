public import AccessPolicy
public import DeviceModel

/// A claim with a known answer about one access policy, or about one file.
///
/// Shipped claims are examples for your own claims, and a test of the engine: an engine that lacks one of its rules
/// answers some of them differently.
public struct ShippedClaim: Hashable, Sendable {
    /// The name in kebab-case, such as "any-biometry-falls-to-the-passcode".
    public let name: String
    /// The lesson of the claim in a sentence.
    public let about: String
    /// The access policy of the item. A claim about a file has no item.
    public let control: AccessControl
    /// The file, if the claim is about one.
    public let file: FileSlot?
    /// The settings of the device.
    public let settings: DeviceSettings
    /// The greatest age at which an unlock by biometry counts as biometry for the app.
    public let reuse: TimeSpan
    /// The claim.
    public let claim: Claim
    /// The answer to the claim.
    public let answer: Verdict.Answer
    /// The number of steps of its shortest story, or nil if it has none.
    public let steps: Int?

    init(
        _ name: String, _ about: String, _ flags: AccessControlFlags,
        in protection: Accessibility = .whenUnlockedThisDeviceOnly, on settings: DeviceSettings = DeviceSettings(),
        reuse: TimeSpan = .zero, assuming assumes: Assumptions.Stated = .init(), _ statement: Claim.Statement,
        _ answer: Verdict.Answer, inSteps steps: Int? = nil
    ) {
        self.name = name
        self.about = about
        file = nil
        do { control = try AccessControl(protection: protection, flags: flags) } catch {
            preconditionFailure("a shipped claim has flags that Apple accepts: \(error)")
        }
        self.settings = settings
        self.reuse = reuse
        claim = Claim(statement, assuming: assumes)
        self.answer = answer
        self.steps = steps
    }

    /// Creates a claim about a file of the usual device.
    init(
        _ name: String, _ about: String, _ file: FileSlot, assuming assumes: Assumptions.Stated = .init(),
        _ statement: Claim.Statement, _ answer: Verdict.Answer, inSteps steps: Int? = nil
    ) {
        self.name = name
        self.about = about
        self.file = file
        control = AccessControl(.whenUnlocked)
        settings = DeviceSettings()
        reuse = .zero
        claim = Claim(statement, assuming: assumes)
        self.answer = answer
        self.steps = steps
    }

    /// An app that offers no way to delete the item or the file.
    static let keepsItem = Assumptions.Stated(deletes: false)

    /// The device with the item or the file stored on it.
    ///
    /// - Throws: `StoringError` if the device cannot store the item. None of ``all`` throws.
    public var scene: Scene {
        get throws(StoringError) {
            if let file { return try Scene(settings, storing: [], files: [file]) }
            var scene = try Scene(settings, storing: [Item(control, isKey: control.guardsKeyUse)])
            scene.reuse = reuse
            return scene
        }
    }

    /// All shipped claims.
    public static let all: [ShippedClaim] =
        aboutPasscodes + aboutFingers + aboutCompanions + aboutClasses + aboutBackups + aboutKeysAndGroups
        + aboutAttempts + aboutOwners + aboutPrompts + aboutContexts + aboutFiles
}
