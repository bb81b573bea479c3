internal import AccessPolicy
internal import LatchkeyAgent
internal import LinuxSystem

// The sensor of a vault, for commands that say what is wrong with it.

extension VaultAccess {
    /// The reason why no sensor serves the vault now, with the next command to type; nil if the agent does not say.
    var sensorTrouble: String? {
        guard var head = try? client.ask(.status, of: nil).head, let status = try? StatusReport(reading: &head) else {
            return nil
        }
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
        guard client.knowsFprintd, var head = try? client.ask(.settings(.init()), of: nil).head else { return false }
        return (try? LatchkeyAgent.Request.SettingChanges(from: &head).sensor) == VaultSettings.fprintd
    }

    /// Returns the error that says what is wrong with the sensor, if a request was denied for want of one.
    func wordsWithoutSensor(_ fault: AgentError) -> AgentError? {
        let rule = Rule.biometryNoHardware.identifier
        guard fault.rule == rule, let words = sensorTrouble else { return nil }
        // Without its rule, the error keeps these words.
        return AgentError(fault.kind, "\(words) (\(rule))", status: fault.status)
    }
}
