package import AgentProtocol
package import DeviceModel
package import Latchkey
internal import UserPresence

// The sensor of a vault: the reader of this machine, which the agent serves itself, or a command.

extension VaultSettings {
    /// True if the vault uses the fingerprint reader of this machine.
    package var usesFprintd: Bool { sensor == Self.fprintd }

    /// Returns the sensor that the settings name, for a device with this kind of sensor.
    package func sensorChoice(_ kind: SensorKind) -> SensorChoice {
        guard let sensor, kind != .none else { return .none }
        if usesFprintd { return kind == .touchID ? .external(FprintdSensor()) : .none }
        return .external(ExternalSensor(command: [sensor], kind: kind))
    }
}

/// The sensor of a vault.
enum SensorState {
    case none
    /// The vault was created with a fake sensor.
    case fake
    case real(SensorKind)
}
