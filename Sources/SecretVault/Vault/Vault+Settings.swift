package import DeviceModel

extension Vault {
    /// The settings of the program that uses the vault; empty if there are none. The vault keeps these bytes sealed with
    /// its keys and does not know what they mean. They can be read while it is locked.
    package var settings: [UInt8] {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.settings
            }
        }
    }

    /// Replaces the settings, all of them or none, and adds a sensor to a device that has none.
    package func change(
        settings: [UInt8], adding sensor: SensorKind? = nil, for caller: Caller
    ) throws(VaultError) {
        try run { try $0.change(settings: settings, adding: sensor, for: caller) }
    }
}
