internal import AccessPolicy
package import DeviceModel

extension Vault {
    /// The settings of the program that uses the vault; empty if there are none. The vault keeps these bytes sealed with
    /// its keys and does not know what they mean. They can be read while it is locked.
    package var settings: [UInt8] {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.bag.settings
            }
        }
    }

    /// True if the settings in the keybag are those that the owner chose: they were compared with their copy under a key of
    /// the root since they changed last. Reading this never waits.
    package var hasCheckedSettings: Bool { ring.hasCheckedSettings }

    /// Returns true if these are the settings, and ``hasCheckedSettings`` holds. This never waits.
    package func hasChecked(_ settings: [UInt8]) -> Bool { ring.hasChecked(settings) }

    /// True once another program has changed the passcode, or has put another root into the vault, since the vault was
    /// opened. The vault has locked itself then, and its settings are unchecked until the next passcode. Reading this never
    /// waits.
    package var hasOtherRoot: Bool { ring.hasOtherRoot }

    /// The hour at which the vault put back settings that a program had changed, in milliseconds; nil if it did not since
    /// the owner's last change.
    package var settingsPutBack: Int64? {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.bag.settingsPutBack > 0 ? vault.bag.settingsPutBack : nil
            }
        }
    }

    /// Replaces the settings, all of them or none, and adds a sensor to a device that has none.
    package func change(
        settings: [UInt8], adding sensor: SensorKind? = nil, for caller: Caller
    ) throws(VaultError) {
        try run { vault in
            try vault.refresh()
            guard vault.hasCheckedSettings else { throw VaultError.eventNeedsAuthentication }
            let hasSensor = vault.device.settings.sensor != .none
            if settings == vault.bag.settings && (sensor == nil || hasSensor) { return }
            try vault.transaction(lasting: true) { vault in
                try vault.changeSettings(sensor.map { vault.device.adding($0) }) { $0.settings = settings }
                let hour = vault.device.now.milliseconds
                vault.audit.add(.event, "set-config", by: caller, hour: hour)
                if sensor != nil { vault.audit.add(.event, "add-sensor", by: caller, hour: hour) }
            }
        }
    }
}
