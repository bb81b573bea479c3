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
            let hasSensor = try sensorKind()
            _ = try agent.settings.with(changes, sensor: hasSensor)
            let context = try authenticationContext()
            try onKeychain { (keychain) throws(KeychainError) in
                try keychain.requirePasscode(in: context, by: requester, because: Keychain.reasonForSettings)
            }
            let (former, changed) = try agent.changeSettings { (former) throws(AgentError) in
                let changed = try former.with(changes, sensor: hasSensor)
                try onKeychain { (keychain) throws(KeychainError) in
                    try keychain.change(settings: changed.bytes(for: agent.place), by: requester, in: context)
                }
                return changed
            }
            mustRestart = changed.pam != former.pam || changed.sensor != former.sensor
        }
        var head = agent.settings.all.head
        if mustRestart { head["restart"] = .bool(true) }
        return Answer(head)
    }

    /// True if the vault has a sensor that a command serves.
    private func sensorKind() throws(AgentError) -> Bool {
        let kind = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        return kind != .none && !agent.keychain.hasFakeSensor
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
        return all
    }

    /// Returns the settings with these changes. `hasSensor` is true if the vault was created for a real sensor.
    fileprivate func with(
        _ changes: Request.SettingChanges, sensor hasSensor: Bool
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
        if let service = changes.service { changed.pam = try Self.pam(service) }
        if let sensor = changes.sensor {
            guard hasSensor else {
                throw AgentError(.request, "the vault was created without a sensor that a command serves")
            }
            guard sensor.hasPrefix("/"), sensor.utf8.count <= 4096 else {
                throw AgentError(.request, "the command of a sensor needs an absolute path")
            }
            changed.sensor = [sensor]
        }
        return changed
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
        if let trouble = PAMAuthenticator(service: service, folder: folder).trouble {
            throw AgentError(.unavailable, "\(trouble)")
        }
        return PAM(service: service, folder: folder)
    }
}
