internal import DeviceModel
internal import SecretVault
package import UserPresence

extension Keychain {
    /// The settings of the program that uses the vault; empty if there are none. They are sealed with the vault's keys,
    /// and can be read while it is locked.
    package var settings: [UInt8] {
        get throws(KeychainError) { try onVault(vault.settings) }
    }

    /// True if the settings are those that the owner chose, as far as this process has seen a passcode since they changed
    /// last. Reading this never waits.
    package var hasCheckedSettings: Bool { vault.hasCheckedSettings }

    /// Returns true if these are the settings, and they are those that the owner chose. This never waits.
    package func hasChecked(_ settings: [UInt8]) -> Bool { vault.hasChecked(settings) }

    /// True once another program has changed the passcode, or has put another root into the vault. Reading this never waits.
    package var hasOtherRoot: Bool { vault.hasOtherRoot }

    /// The hour at which the vault put back settings that a program had changed, in milliseconds; nil if there is none.
    package var settingsPutBack: Int64? {
        get throws(KeychainError) { try onVault(vault.settingsPutBack) }
    }

    /// The reason in the prompt for the passcode when settings change.
    package static let reasonForSettings = "change the settings of the vault"

    /// Replaces the settings, and adds `sensor` to a device that has none. The user is asked for the passcode.
    ///
    /// No finger or face counts before the sensor has listed it. A fake sensor is never added.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the user does not authenticate, ``KeychainError/vault(_:)`` if the vault
    ///   refuses the settings, and ``KeychainError/wrongKind(_:)`` if the device has a sensor already, or if this one is a
    ///   fake.
    package func change(
        settings: [UInt8], adding sensor: (any BiometricSensor)? = nil, by requester: Requester? = nil,
        in context: KeychainContext
    ) throws(KeychainError) {
        if let sensor {
            if sensor.isFake { throw .wrongKind("a fake sensor is never added to a vault") }
            if sensorKind != .none { throw .wrongKind("the vault has a sensor already") }
        }
        try requirePasscode(in: context, by: requester, because: Self.reasonForSettings)
        let caller = KeychainCall(self, by: requester, in: context).caller(.believed)
        try onVault(vault.change(settings: settings, adding: sensor?.kind, for: caller))
        noteChange(of: settings)
        guard let sensor else { return }
        adopt(sensor)
        _ = try askSensor()
    }
}
