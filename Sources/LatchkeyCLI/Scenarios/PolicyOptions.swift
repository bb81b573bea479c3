internal import AccessPolicy
internal import Latchkey
internal import PolicyScenarios
internal import ScenarioFormat

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
        Option("--key", "the item is a private key: --require then means privateKeyUsage too"),
        Option("--synchronizable", "the item asks to travel through iCloud Keychain"),
        Option(
            "--device", value: "DEVICE",
            "\(DevicePreset.all.map(\.name).joined(separator: ", ")); the first where nothing is said",
            values: .words(DevicePreset.all.map(\.name))),
        protection,
    ]

    static let protection = Option(
        "--stolen-device-protection", "the iPhone has Stolen Device Protection on, and is away from familiar places")

    /// The first of these options that is given; nil where none is.
    static func said(_ given: Given) -> String? {
        options.map { $0.names[0] }.first { given[$0] != nil || given.has($0) }
    }

    /// What the item demands, and what kind it is.
    static func policy(_ given: Given) throws(UsageError) -> MatrixPolicy {
        let protection = try known(given["--accessible"], "class", Accessibility.allCases.map { ($0.name, $0) })
        let isKey = given.has("--key")
        let control = try control(requiring: given["--require"], in: protection ?? .whenUnlocked, isKey: isKey)
        return MatrixPolicy(
            control, isKey: isKey || control.guardsKeyUse,
            isSynchronizable: given.has("--synchronizable"))
    }

    /// What `flags` demand in `protection`; without any, there is no access control but the class.
    ///
    /// Flags of a private key guard its use. Without privateKeyUsage nobody could use it at all, and every claim would hold.
    static func control(
        requiring flags: String?, in protection: Accessibility, isKey: Bool = false
    ) throws(UsageError) -> AccessControl {
        guard let flags else { return AccessControl(protection) }
        if let word = AccessControlFlags.unknownWords(in: flags).first {
            throw UsageError(unknown: "flag", word, among: AccessControlFlags.words)
        }
        do throws(FlagsRefused) {
            let written = AccessControlFlags(written: flags)
            return try AccessControl(
                protection: protection, flags: isKey ? written.union(.privateKeyUsage) : written)
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// The device.
    static func device(_ given: Given) throws(UsageError) -> DevicePreset {
        var device = try known(given["--device"], "device", DevicePreset.all.map { ($0.name, $0) }) ?? .usual
        device.stolenDeviceProtection = given.has("--stolen-device-protection")
        if device.stolenDeviceProtection, let lack = device.lackOfStolenDeviceProtection { throw UsageError(lack) }
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
