/// Changes how the audit log is kept, and returns the settings.
package struct LogSettingsCall: AgentCall {
    package static let verb = Verb.logSettings
    package var changes = SettingChanges(.log)
    package var usesVault: Bool { !changes.isEmpty }

    package init() {}

    package init(_ changes: SettingChanges) { self.changes = changes }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try changes.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("change the settings of the audit log") }

    /// The settings of the audit log.
    package struct Reply: CallReply, WireValue, Hashable {
        package var settings = SettingChanges(.log)

        package init() {}

        package init(_ settings: SettingChanges) { self.settings = settings }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try settings.describe(to: &coder)
        }
    }
}
