internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The stored properties of sealed values, for the test that each of them is coded.
package enum StoredFields {
    /// Returns the stored properties that are not coded, as `Type.property`.
    package static func forgotten() -> [String] {
        // A device stores the end of its security delay only if Stolen Device Protection is on.
        let settings = DeviceSettings(stolenDeviceProtection: true)
        // A ledger stores the account of deleted items only if there are some.
        var ledger = Ledger()
        ledger.removed.count = 1
        return forgotten(in: Keybag()) + forgotten(in: Keybag.ClassKey()) + forgotten(in: Keybag.Gate())
            + forgotten(in: FormerWrap()) + forgotten(in: OwnerSettings())
            + forgotten(in: PasscodeAttempts()) + forgotten(in: SensorRecord()) + forgotten(in: KnownSensor.blank)
            + forgotten(in: KnownSensor.Template.blank)
            + forgotten(in: ClockMark.none)
            + forgotten(in: ledger) + forgotten(in: ItemSums()) + forgotten(in: AuditAccount())
            + forgotten(in: AuditAccount.Share())
            + forgotten(in: Device.Lasting(settings), and: settings, flattening: ["settings"])
            + forgotten(in: LeftBehind(.damaged)) + forgotten(in: App())
    }

    private static func forgotten(
        in value: some Stored, and part: Any? = nil, flattening flat: Set<String> = []
    ) -> [String] {
        var (copy, names) = (value, StoredNames())
        copy.code(with: &names)
        let labels = [value as Any, part].compactMap { $0 }.flatMap {
            Mirror(reflecting: $0).children.compactMap(\.label)
        }
        return labels.filter { !names.all.contains($0) && !flat.contains($0) }.map { "\(type(of: value)).\($0)" }
    }
}
