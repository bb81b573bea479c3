internal import AccessPolicy
internal import Latchkey
internal import PolicyScenarios

/// The options that say what an item demands, and on what kind of device it is.
enum PolicyOptions {
    static let options = [
        Option(
            "--require", value: "FLAGS", "such as biometryCurrentSet, \"biometryAny or devicePasscode\" or none",
            values: .words(AccessControlFlags.words)),
        Option(
            "--accessible", value: "CLASS",
            "such as whenPasscodeSetThisDeviceOnly; whenUnlocked where nothing is said",
            values: .words(Accessibility.allCases.map(\.name))),
        Option("--key", "the item is a private key, as privateKeyUsage says too"),
        Option("--synchronizable", "the item asks to travel through iCloud Keychain"),
        Option(
            "--device", value: "DEVICE",
            "\(DevicePreset.all.map(\.name).joined(separator: ", ")); the first where nothing is said",
            values: .words(DevicePreset.all.map(\.name))),
        protection,
    ]

    static let protection = Option(
        "--stolen-device-protection", "the device has Stolen Device Protection on, and is away from familiar places")

    /// The first of these options that is given; nil where none is.
    static func said(_ given: Given) -> String? {
        options.map { $0.names[0] }.first { given[$0] != nil || given.has($0) }
    }

    /// What the item demands, and what kind it is.
    static func policy(_ given: Given) throws(UsageError) -> MatrixPolicy {
        let protection = try known(given["--accessible"], "class", Accessibility.allCases.map { ($0.name, $0) })
        let control = try control(requiring: given["--require"], in: protection ?? .whenUnlocked)
        return MatrixPolicy(
            control, isKey: given.has("--key") || control.guardsKeyUse,
            isSynchronizable: given.has("--synchronizable"))
    }

    /// What `flags` demand in `protection`; without any, there is no access control but the class.
    static func control(
        requiring flags: String?, in protection: Accessibility
    ) throws(UsageError) -> AccessControl {
        guard let flags else { return AccessControl(protection) }
        if let word = AccessControlFlags.unknownWords(in: flags).first {
            throw UsageError(unknown: "flag", word, among: AccessControlFlags.words)
        }
        do throws(FlagsRefused) {
            return try AccessControl(protection: protection, flags: AccessControlFlags(written: flags))
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// The device.
    static func device(_ given: Given) throws(UsageError) -> DevicePreset {
        var device = try known(given["--device"], "device", DevicePreset.all.map { ($0.name, $0) }) ?? .usual
        device.stolenDeviceProtection = given.has("--stolen-device-protection")
        return device
    }

    /// What `word` stands for among `known` words of a kind; nil where there is no word.
    static func known<Value>(
        _ word: String?, _ kind: String, _ known: [(String, Value)]
    ) throws(UsageError) -> Value? {
        guard let word else { return nil }
        guard let value = known.first(where: { $0.0 == word })?.1 else {
            throw UsageError(unknown: kind, word, among: known.map(\.0))
        }
        return value
    }
}
