internal import AgentProtocol

extension VaultAccess {
    /// Returns the state of the vault. It never prompts.
    func status() throws(AgentError) -> StatusReport {
        var head = try client.ask(StatusCall(), of: nil).head
        do throws(WireError) { return try StatusReport(reading: &head) } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Returns the settings of the vault. It never prompts.
    func settings() throws(AgentError) -> VaultSettings {
        var head = try ask(SettingsCall(SettingChanges())).head
        do throws(WireError) { return VaultSettings(answer: try SettingChanges(from: &head)) } catch {
            throw AgentError(.agent, "\(error)")
        }
    }

    /// Returns the seconds after which the clipboard is cleared of a secret; 0 for never.
    func clipboardTime() throws(AgentError) -> Int { try settings()[.clipboardTime].number }

    /// Returns true if an authentication counts for a while for a secret with this policy. The vault can turn that off.
    func isReused(_ policy: ItemPolicy) throws(AgentError) -> Bool {
        guard policy.isReused else { return false }
        return try settings().reuse > 0
    }

    /// Returns when a secret with this policy prompts in this vault, to follow a word of success.
    func prompting(_ policy: ItemPolicy) throws(AgentError) -> String {
        ItemPolicyWords.prompting(policy, isReused: try isReused(policy))
    }
}
