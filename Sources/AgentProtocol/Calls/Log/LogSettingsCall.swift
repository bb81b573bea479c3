/// Changes how the audit log is kept, and returns the settings.
package struct LogSettingsCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.logSettings
    package var changes = SettingChanges(.log)
    package var usesVault: Bool { !changes.isEmpty }

    package init() {}

    package init(_ changes: SettingChanges) { self.changes = changes }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try changes.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("change the settings of the audit log") }
}
