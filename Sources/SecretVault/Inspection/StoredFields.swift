internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The stored properties of what is kept under a seal, for a test that none is forgotten.
package enum StoredFields {
    /// Returns the stored properties that are not among those that are kept, as `Type.property`.
    package static func forgotten() -> [String] {
        // A device keeps when its delay ends only under the protection that asks for one.
        let settings = DeviceSettings(stolenDeviceProtection: true)
        return forgotten(in: Keybag()) + forgotten(in: Keybag.ClassKey()) + forgotten(in: Keybag.Gate())
            + forgotten(in: PasscodeAttempts()) + forgotten(in: SensorRecord()) + forgotten(in: KnownSensor.blank)
            + forgotten(in: KnownSensor.Template.blank)
            + forgotten(in: ClockMark.none)
            + forgotten(in: Ledger()) + forgotten(in: ItemSums()) + forgotten(in: AuditAccount())
            + forgotten(in: AuditAccount.Share())
            + forgotten(in: Device.Lasting(settings), and: settings, flattening: ["settings"])
            + forgotten(in: App())
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
