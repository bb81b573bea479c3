internal import AccessPolicy
internal import AgentProtocol
internal import SecretVault

extension VaultSettings {
    /// How long an authentication counts.
    var reuseLimit: ReuseLimit { ReuseLimit(sinceUse: TimeSpan(milliseconds: Int64(reuse) * 1000)) }

    /// The limit of what is kept of former versions of a secret.
    var historyLimit: HistoryLimit { HistoryLimit(age: Int64(history) * 1000) }
}
