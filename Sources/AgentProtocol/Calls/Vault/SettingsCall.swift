/// Changes the settings of the vault, and returns all of them.
package struct SettingsCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.settings
    package var changes = SettingChanges()
    package var usesVault: Bool { !changes.isEmpty }

    package init() {}

    package init(_ changes: SettingChanges) { self.changes = changes }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try changes.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("change the settings of the vault") }
}
