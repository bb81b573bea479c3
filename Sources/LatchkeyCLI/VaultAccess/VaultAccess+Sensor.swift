internal import AccessPolicy
internal import AgentProtocol
internal import LinuxSystem

// The sensor of a vault, for commands that say what is wrong with it.

extension VaultAccess {
    /// Throws if a secret with this policy cannot be saved because no finger or face is enrolled, so that you never type one in
    /// vain. An agent that does not say counts as one with fingers: it refuses the secret itself.
    func requireEnrolled(for policy: ItemPolicy) throws(AgentError) {
        let control = try policy.control()
        guard control.requirements.contains(where: { $0 == .biometryAny || $0 == .biometryCurrentSet }) else { return }
        guard let status = try? status(), status.enrolled.isEmpty else { return }
        let isMissing = status.sensor == "none" || status.sensorTrouble != nil
        let rule = isMissing ? Rule.biometryNoHardware : .biometryNotEnrolled
        let fault = AgentError(.denied, rule.summary, rule: rule.identifier)
        throw wordsWithoutSensor(fault) ?? fault.inCommandWords()
    }

    /// The reason why no sensor serves the vault now, with the next command to type; nil if the agent does not say.
    package var sensorTrouble: String? {
        guard let status = try? status() else { return nil }
        if status.sensor == "none" {
            return "this vault has no sensor: run `latchkey biometry setup` to use a fingerprint reader"
        }
        if RemoteLogin.containsThisProcess && usesFprintd {
            return
                "you are logged in over a network, and the fingerprint reader is at the machine: run the command there"
        }
        return status.sensorTrouble ?? "the sensor was out of reach: try again"
    }

    /// True if the vault uses the fingerprint reader of this machine.
    var usesFprintd: Bool {
        guard let reply = try? client.ask(SettingsCall(SettingChanges()), of: nil).reply else { return false }
        return reply.settings[.sensor]?.text == VaultSettings.fprintd
    }

    /// Returns the error that says what is wrong with the sensor, if a request was denied for want of one.
    func wordsWithoutSensor(_ fault: AgentError) -> AgentError? {
        let rule = Rule.biometryNoHardware.identifier
        guard fault.rule == rule, let words = sensorTrouble else { return nil }
        // Without its rule, the error keeps these words.
        return AgentError(fault.kind, "\(words) (\(rule))", status: fault.status)
    }
}
