/// The state of a vault and of its agent.
package struct StatusReport: Hashable, Sendable {
    /// The state of the keys.
    package enum State: String, CaseIterable, Sendable {
        /// The vault was not unlocked since the agent started.
        case beforeFirstUnlock = "before-first-unlock"
        case locked = "locked"
        case unlocked = "unlocked"
    }

    /// The folder of the vault.
    package var vault = ""
    package var state = State.locked
    /// The kind of sensor.
    package var sensor = ""
    package var isSensorFake = false
    /// The names of the enrolled fingers or faces.
    package var enrolled: [String] = []
    /// The reason why the sensor cannot be used now; nil if it can.
    package var sensorTrouble: String?
    /// The PAM service that checks the passcode; nil if the keys alone do.
    package var service: String?
    /// The number of seconds without a request after which the vault locks itself; nil for never.
    package var locksAfter: Int?
    /// The number of wrong passcodes that were counted.
    package var failedAttempts = 0
    /// The number of seconds in which no passcode is accepted.
    package var delay = 0
    /// The number of seconds for which the former login password still opens the vault; nil if only the present one does.
    package var formerOpensFor: Int?
    /// The reason why the vault would not be locked before sleep; nil if it would.
    package var sleepTrouble: String?
    /// The number of seconds by which the clock is behind the latest time that the vault has seen.
    package var clockBehind = 0
    /// The consequences of the low limits that the agent was started with.
    package var limitTroubles: [String] = []
    /// The number of the agent's process.
    package var process: Int32 = 0
    /// True if nothing shows yet that the settings are those that the owner chose: no passcode was typed since the agent
    /// started, or since another program changed them.
    package var areSettingsUnchecked = false
    /// The time at which the vault put back settings that a program had changed, in seconds since 1970; nil if there is none.
    package var settingsPutBack: Int?
    /// The settings of the audit log.
    package var log = SettingChanges(.log)

    package init() {}
}

extension StatusReport: CallReply, WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("vault", &vault)
        try coder.word("state", &state)
        try coder.text("sensor", &sensor)
        try coder.flag("sensor-is-fake", &isSensorFake)
        try coder.texts("enrolled", &enrolled)
        try coder.textOrNull("sensor-trouble", &sensorTrouble)
        try coder.textOrNull("pam-service", &service)
        try coder.numberOrNull("locks-after", &locksAfter)
        try coder.number("failed-attempts", &failedAttempts)
        try coder.number("delay", &delay)
        try coder.numberIfSaid("former-opens-for", &formerOpensFor)
        try coder.textOrNull("sleep-trouble", &sleepTrouble)
        try coder.number("clock-behind", &clockBehind)
        try coder.texts("limit-troubles", &limitTroubles)
        try coder.number("process", &process)
        try coder.flagIfTrue("settings-unchecked", &areSettingsUnchecked)
        try coder.numberIfSaid("settings-put-back", &settingsPutBack)
        try log.describe(to: &coder)
    }
}
