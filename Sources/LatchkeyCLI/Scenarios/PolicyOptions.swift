internal import AccessPolicy
internal import CommandLineKit
internal import Latchkey
internal import PolicyScenarios
internal import ScenarioFormat

/// The options that state the access policy of an item, and the kind of its device.
struct PolicyOptions: OptionList {
    var heading = "the policy, where no file says it"
    let require = Option(
        "--require", value: "FLAGS", says: "such as biometryCurrentSet, \"biometryAny or devicePasscode\" or none",
        values: .words(AccessControlFlags.words), read: flags)
    let accessible = Option(
        "--accessible", value: "CLASS",
        says: "such as whenPasscodeSetThisDeviceOnly; whenUnlocked by default",
        among: Accessibility.allCases.map { ($0.name, $0) })
    let key = Option("--key", says: "the item is a private key: --require then means privateKeyUsage too")
    let synchronizable = Option("--synchronizable", says: "the item asks to travel through iCloud Keychain")
    let device = DeviceOptions(
        says: "\(DevicePreset.all.map(\.name).joined(separator: ", ")); the first by default")

    /// Returns the policy of the item, and its kind.
    static func policy(_ given: Given<PolicyOptions>) throws(UsageError) -> MatrixPolicy {
        let isKey = given[\.key]
        let control = try control(
            requiring: given[\.require], in: given[\.accessible] ?? .whenUnlocked, isKey: isKey)
        return MatrixPolicy(
            control, isKey: isKey || control.guardsKeyUse, isSynchronizable: given[\.synchronizable])
    }

    /// Returns the access control of `flags` in `protection`. Without any flags it is the class alone.
    ///
    /// Flags of a private key guard its use. Without privateKeyUsage nothing could use the key at all, and every claim would hold.
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

/// The options that state the kind of a device.
struct DeviceOptions: OptionList {
    let preset: Option<DevicePreset?>
    let protection = Option(
        "--stolen-device-protection",
        says: "the iPhone has Stolen Device Protection on, and is away from familiar places")

    init(says: String) {
        preset = Option("--device", value: "DEVICE", says: says, among: DevicePreset.all.map { ($0.name, $0) })
    }

    /// Returns the device. Throws if none of its kind has what the options ask for.
    static func device(_ given: Given<DeviceOptions>) throws(UsageError) -> DevicePreset {
        var device = given[\.preset] ?? .usual
        device.stolenDeviceProtection = given[\.protection]
        if device.stolenDeviceProtection, let lack = device.lackOfStolenDeviceProtection { throw UsageError(lack) }
        return device
    }
}
