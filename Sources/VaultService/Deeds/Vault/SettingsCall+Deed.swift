package import AgentProtocol
internal import DeviceModel
internal import Latchkey
package import SodiumKit
internal import UserPresence

extension SettingsCall: Deed {
    /// Changes the settings, if there are `changes`, and returns all of them. A change takes the passcode, because each one can
    /// make the vault easier to open.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let service = visit.service
        var mustRestart = false
        if !changes.isEmpty {
            // Refuse what no vault can have before there is a prompt.
            let (changes, addsSensor) = try checked(visit)
            let added = try addsSensor ? Self.presentSensor() : nil
            let context = try visit.authenticationContext()
            try visit.askForPasscode(in: context, because: Keychain.reasonForSettings)
            let (former, changed) = try service.changeSettings { (former) throws(AgentError) in
                let changed = former.changed(by: changes)
                try visit.onKeychain { (keychain) throws(KeychainError) in
                    try keychain.change(
                        settings: changed.bytes(forVaultIn: service.place.vault), adding: added, by: visit.requester,
                        in: context)
                }
                return changed
            }
            if changes[.history] != nil {
                try visit.onKeychain { (keychain) throws(KeychainError) in
                    try keychain.forgetRemoved(beyond: changed.historyLimit, by: visit.requester)
                }
            }
            mustRestart = SettingName.all(in: .vault).contains { name in
                // A sensor that was added counts at once.
                let isLate = !name.row.countsAtOnce && !(name == .sensor && added != nil)
                return isLate && changed[name] != former[name]
            }
        }
        return CallResult(
            Reply(
                settings: service.settings.named(), mustRestart: mustRestart,
                isUnchecked: !service.keychain.hasCheckedSettings))
    }

    /// Returns the changes as they are stored, and true if they add a sensor to a vault without one. Throws if this vault cannot
    /// have them.
    private func checked(_ visit: Visit) throws(AgentError) -> (SettingChanges, addsSensor: Bool) {
        var (changes, addsSensor) = (self.changes, false)
        try changes.check()
        if let service = changes[.pamService]?.textIfAny { changes[.pamService] = .text(try Self.path(of: service)) }
        if let sensor = changes[.sensor]?.text {
            let state = try Self.sensorState(visit)
            try Self.check(sensor, for: state)
            if case .none = state { addsSensor = true }
        }
        return (changes, addsSensor)
    }

    private static func sensorState(_ visit: Visit) throws(AgentError) -> SensorState {
        let kind = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if visit.service.keychain.hasFakeSensor { return .fake }
        return kind == .none ? .none : .real(kind)
    }

    /// Returns the fingerprint reader of this machine. Throws if it does not answer.
    private static func presentSensor() throws(AgentError) -> FprintdSensor {
        let sensor = FprintdSensor()
        do throws(SensorError) { _ = try sensor.enrollments() } catch { throw AgentError(KeychainError.sensor(error)) }
        return sensor
    }

    /// Throws if a vault with such a sensor cannot have this setting of one.
    private static func check(_ sensor: String, for state: SensorState) throws(AgentError) {
        let fprintd = VaultSettings.fprintd
        switch state {
        case .none where sensor != fprintd:
            throw AgentError(
                .request,
                "only the fingerprint reader of this machine can be added to a vault: run `latchkey biometry setup`, or "
                    + "create another vault with `latchkey init --sensor`")
        case .fake:
            throw AgentError(
                .request,
                "the vault was created with a fake sensor and keeps it: create another vault with `latchkey init`")
        case .real(let kind) where sensor == fprintd && kind != .touchID:
            throw AgentError(.request, "\(fprintd) serves fingers, and the vault was created for \(kind.name)")
        case .none, .real: break
        }
    }

    /// Returns the path of a service in /etc/pam.d by its name, or of any by its path. Throws if others than root can change it.
    private static func path(of name: String) throws(AgentError) -> String {
        let path = name.contains("/") ? name : "\(VaultSettings.systemPAM)/\(name)"
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts[0].isEmpty, !parts.dropFirst().contains(where: { ["", ".", ".."].contains($0) }),
            path.utf8.count <= 4096, let service = VaultSettings.PAM(path: path)
        else {
            throw AgentError(.request, "a PAM service is a file in /etc/pam.d, or has an absolute path")
        }
        if let trouble = PAMAuthenticator(ofRoot: service.service, folder: service.folder).trouble {
            throw AgentError(.unavailable, "\(trouble)")
        }
        return path
    }
}
