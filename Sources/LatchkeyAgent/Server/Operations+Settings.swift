internal import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import PlainText
internal import UserPresence

// The settings of the vault, which are sealed in it.

extension Session {
    /// Changes the settings, if `changes` has any, and returns all of them. A change takes the passcode, because each
    /// one can make the vault easier to open.
    func settings(_ changes: Request.SettingChanges) throws(AgentError) -> Answer {
        var mustRestart = false
        if changes != Request.SettingChanges() {
            // Refuse what no vault can have before there is a prompt.
            let sensor = try sensorState()
            _ = try agent.storedSettings.with(changes, sensor: sensor)
            let added = try changes.sensor.flatMap { (_) throws(AgentError) in try addedSensor(to: sensor) }
            let context = try authenticationContext()
            try onKeychain { (keychain) throws(KeychainError) in
                try keychain.requirePasscode(in: context, by: requester, because: Keychain.reasonForSettings)
            }
            let (former, changed) = try agent.changeSettings { (former) throws(AgentError) in
                let changed = try former.with(changes, sensor: sensor)
                try onKeychain { (keychain) throws(KeychainError) in
                    try keychain.change(
                        settings: changed.bytes(for: agent.place), adding: added, by: requester, in: context)
                }
                return changed
            }
            if changes.history != nil {
                try onKeychain { (keychain) throws(KeychainError) in
                    try keychain.forgetRemoved(beyond: changed.historyLimit, by: requester)
                }
            }
            mustRestart = changed.pam != former.pam || (changed.sensor != former.sensor && added == nil)
        }
        var head = agent.settings.all.head
        if mustRestart { head["restart"] = .bool(true) }
        if !agent.keychain.hasCheckedSettings { head["unchecked"] = .bool(true) }
        return Answer(head)
    }

    private func sensorState() throws(AgentError) -> SensorState {
        let kind = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if agent.keychain.hasFakeSensor { return .fake }
        return kind == .none ? .none : .real(kind)
    }

    /// Returns the fingerprint reader of this machine, to be added to a vault without a sensor; nil if the vault has one.
    /// Throws if the reader does not answer.
    private func addedSensor(to state: SensorState) throws(AgentError) -> FprintdSensor? {
        guard case .none = state else { return nil }
        let sensor = FprintdSensor()
        do throws(SensorError) { _ = try sensor.enrollments() } catch { throw AgentError(KeychainError.sensor(error)) }
        return sensor
    }
}

extension VaultSettings {
    /// All settings, as an answer gives them.
    fileprivate var all: Request.SettingChanges {
        var all = Request.SettingChanges()
        all.reuse = reuse
        all.locksAfter = locksAfter ?? 0
        all.policy = policy
        if history > 0 { all.history = history }
        all.service = path ?? ""
        all.sensor = sensor?.joined(separator: " ") ?? ""
        if clipboardTime != Self.usualClipboardTime { all.clipboardTime = clipboardTime ?? 0 }
        all.pinentry = pinentry
        all.prompt = prompt
        if secretService.isEnabled { all.servesSecrets = true }
        if !secretService.rules.text.isEmpty { all.secretRules = secretService.rules.text }
        if locksAtLogout { all.locksAtLogout = true }
        if !notifies { all.notifies = false }
        return all
    }

    /// Returns the settings with these changes, for a vault with such a sensor.
    fileprivate func with(
        _ changes: Request.SettingChanges, sensor state: SensorState
    ) throws(AgentError) -> VaultSettings {
        var changed = self
        if let reuse = changes.reuse {
            guard (0...Self.longestReuse).contains(reuse) else {
                throw AgentError(.request, "\"reuse\" is a number of seconds, at most \(Self.longestReuse)")
            }
            changed.reuse = reuse
        }
        if let seconds = changes.locksAfter {
            guard (0...Self.longestLock).contains(seconds) else {
                throw AgentError(.request, "\"lock-after\" is a number of seconds, at most \(Self.longestLock)")
            }
            changed.locksAfter = seconds > 0 ? seconds : nil
        }
        if let history = changes.history {
            guard (0...Self.longestHistory).contains(history) else {
                throw AgentError(.request, "\"history\" is a number of seconds, at most \(Self.longestHistory)")
            }
            changed.history = history
        }
        if let policy = changes.policy {
            _ = try policy.control()
            changed.policy = policy
        }
        if let seconds = changes.clipboardTime {
            guard (0...Self.longestClipboardTime).contains(seconds) else {
                throw AgentError(
                    .request, "\"clipboard-time\" is a number of seconds, at most \(Self.longestClipboardTime)")
            }
            changed.clipboardTime = seconds > 0 ? seconds : nil
        }
        if let pinentry = changes.pinentry {
            guard Self.pinentries.contains(pinentry) else {
                throw AgentError(.request, "\"pinentry\" is one of \(Self.pinentries.joined(separator: ", "))")
            }
            changed.pinentry = pinentry == Self.anyPinentry ? nil : pinentry
        }
        if let prompt = changes.prompt {
            guard Self.promptPlaces.contains(prompt) else {
                throw AgentError(.request, "\"prompt\" is one of \(Self.promptPlaces.joined(separator: ", "))")
            }
            changed.prompt = prompt == Self.eitherPlace ? nil : prompt
        }
        if let serves = changes.servesSecrets { changed.secretService.isEnabled = serves }
        if let rules = changes.secretRules { changed.secretService.rules = try SecretRules(rules) }
        if let locks = changes.locksAtLogout { changed.locksAtLogout = locks }
        if let notifies = changes.notifies { changed.notifies = notifies }
        if let service = changes.service { changed.pam = try Self.pam(service) }
        if let sensor = changes.sensor {
            changed.sensor = [try Self.sensor(sensor, for: state)]
        }
        return changed
    }

    /// Returns the setting of a sensor, if a vault with such a sensor can have it.
    private static func sensor(_ sensor: String, for state: SensorState) throws(AgentError) -> String {
        guard sensor == fprintd || (sensor.utf8.first == UInt8(ascii: "/") && sensor.utf8.count <= 4096) else {
            throw AgentError(.request, "a sensor is \(fprintd), or a command with an absolute path")
        }
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
        case .none, .real: return sensor
        }
    }

    /// Returns a service in /etc/pam.d by its name, or any by its path; nil for the empty name.
    private static func pam(_ name: String) throws(AgentError) -> PAM? {
        if name.isEmpty { return nil }
        let path = name.contains("/") ? name : "/etc/pam.d/\(name)"
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts[0].isEmpty, !parts.dropFirst().contains(where: { ["", ".", ".."].contains($0) }),
            path.utf8.count <= 4096
        else {
            throw AgentError(.request, "a PAM service is a file in /etc/pam.d, or has an absolute path")
        }
        let (service, folder) = (parts[parts.count - 1], parts.dropLast().joined(separator: "/"))
        if let trouble = PAMAuthenticator(ofRoot: service, folder: folder).trouble {
            throw AgentError(.unavailable, "\(trouble)")
        }
        return PAM(service: service, folder: folder)
    }
}
