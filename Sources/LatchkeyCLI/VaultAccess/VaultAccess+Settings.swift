package import AgentProtocol

extension VaultAccess {
    /// Returns the state of the vault. It never prompts.
    package func status() throws(AgentError) -> StatusReport { try client.ask(StatusCall(), of: nil).reply }

    /// Returns the settings of the vault. It never prompts.
    package func settings() throws(AgentError) -> VaultSettings {
        VaultSettings(answer: try ask(SettingsCall(SettingChanges())).reply.settings)
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
