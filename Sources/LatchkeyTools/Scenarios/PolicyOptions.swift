internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import LatchkeyCLI
internal import PolicyScenarios
internal import ScenarioFormat

/// The options that state the access policy of an item, and its device.
struct PolicyOptions: OptionList {
    var heading = "policy, unless a file states it"
    let require = Option(
        "--require", value: "FLAGS", says: "flags, such as biometryAny or \"biometryAny or devicePasscode\"",
        values: .words(AccessControlFlags.words), read: flags)
    let accessible = Option(
        "--accessible", value: "CLASS",
        says: "accessibility class; whenUnlocked by default",
        among: Accessibility.allCases.map { ($0.name, $0) })
    let key = Option("--key", says: "the item is a private key; adds privateKeyUsage to --require")
    let synchronizable = Option("--synchronizable", says: "the item asks to sync through iCloud Keychain")
    let device = DeviceOptions(
        says: "\(DevicePreset.all.map(\.name).joined(separator: ", "))")

    /// Returns the policy and the kind of the item. Throws if no item can have the policy.
    static func policy(_ given: Given<PolicyOptions>) throws(UsageError) -> MatrixPolicy {
        let isKey = given[\.key]
        let control = try control(
            requiring: given[\.require], in: given[\.accessible] ?? .whenUnlocked, isKey: isKey)
        return MatrixPolicy(
            control, isKey: isKey || control.guardsKeyUse, isSynchronizable: given[\.synchronizable])
    }

    /// Returns the access control of `flags` in `protection`. Without any flags it is the class alone.
    ///
    /// The flags of a private key guard its use, so `isKey` adds privateKeyUsage. Without it, nothing could use the key, and every
    /// claim would hold.
    ///
    /// - Throws: `UsageError` if the flags contradict each other.
    static func control(
        requiring flags: AccessControlFlags?, in protection: Accessibility, isKey: Bool = false
    ) throws(UsageError) -> AccessControl {
        guard let flags else { return AccessControl(protection) }
        do throws(InvalidFlagsError) {
            return try AccessControl(protection: protection, flags: isKey ? flags.union(.privateKeyUsage) : flags)
        } catch {
            throw UsageError("\(error)")
        }
    }

    @Sendable private static func flags(_ text: String) throws(UsageError) -> AccessControlFlags {
        if let word = AccessControlFlags.unknownWords(in: text).first {
            throw UsageError(unknown: "flag", word, among: AccessControlFlags.words)
        }
        return AccessControlFlags(written: text)
    }
}

/// The options that state the device.
struct DeviceOptions: OptionList {
    let preset: Option<DevicePreset?>
    let protection = Option(
        "--stolen-device-protection",
        says: "turn on Stolen Device Protection, away from familiar places")

    init(says: String) {
        preset = Option("--device", value: "DEVICE", says: says, among: DevicePreset.all.map { ($0.name, $0) })
    }

    /// Returns the device. Throws if devices of this kind lack a stated feature.
    static func device(_ given: Given<DeviceOptions>) throws(UsageError) -> DevicePreset {
        var device = given[\.preset] ?? .usual
        device.stolenDeviceProtection = given[\.protection]
        if device.stolenDeviceProtection, let lack = device.lackOfStolenDeviceProtection { throw UsageError(lack) }
        return device
    }
}
