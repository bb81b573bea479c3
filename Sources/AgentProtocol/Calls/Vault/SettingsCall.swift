/// Changes the settings of the vault, and returns all of them.
package struct SettingsCall: AgentCall {
    package static let verb = Verb.settings
    package var changes = SettingChanges()
    package var usesVault: Bool { !changes.isEmpty }

    package init() {}

    package init(_ changes: SettingChanges) { self.changes = changes }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try changes.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("change the settings of the vault") }

    /// The settings of the vault as they are then.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The settings, without those that are usual and need no name.
        package var settings = SettingChanges()
        /// True if some count from the next start of the agent on.
        package var mustRestart = false
        /// True if nothing shows yet that the settings are those that the owner chose.
        package var isUnchecked = false

        package init() {}

        package init(settings: SettingChanges, mustRestart: Bool, isUnchecked: Bool) {
            (self.settings, self.mustRestart, self.isUnchecked) = (settings, mustRestart, isUnchecked)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try settings.describe(to: &coder)
            try coder.flagIfTrue("restart", &mustRestart)
            try coder.flagIfTrue("unchecked", &isUnchecked)
        }
    }
}
