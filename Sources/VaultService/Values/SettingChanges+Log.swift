internal import AgentProtocol
internal import SecretVault

extension SettingChanges {
    /// Creates the settings of a log as answers have them.
    init(_ settings: Vault.AuditSettings) {
        self.init(
            .log, [.logSize: .number(Int(clamping: settings.limit)), .durableLog: .flag(settings.isDurable)])
    }
}
