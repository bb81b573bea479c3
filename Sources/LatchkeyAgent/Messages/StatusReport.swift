internal import PlainText

/// How a vault is, and who holds its keys.
package struct StatusReport: Hashable, Sendable {
    /// Whether secrets can be opened.
    package enum State: String, CaseIterable, Sendable {
        /// Nothing was unlocked since the agent started.
        case beforeFirstUnlock = "before-first-unlock"
        /// It is locked.
        case locked = "locked"
        /// It is unlocked.
        case unlocked = "unlocked"
    }

    /// The folder of the vault.
    package var vault = ""
    /// Whether secrets can be opened.
    package var state = State.locked
    /// Which kind of sensor there is.
    package var sensor = ""
    /// True if it is a fake one.
    package var isSensorFake = false
    /// Whom it knows.
    package var enrolled: [String] = []
    /// Why it cannot be asked now; nil where it can.
    package var sensorTrouble: String?
    /// The service that PAM is asked; nil where the keys alone check the passcode.
    package var service: String?
    /// After how many seconds without a request it is locked; nil for never.
    package var locksAfter: Int?
    /// How many wrong passcodes were counted.
    package var failedAttempts = 0
    /// For how many seconds no passcode is taken.
    package var delay = 0
    /// Why the vault would not be locked when the machine goes to sleep; nil where it would.
    package var sleepTrouble: String?
    /// By how many seconds the clock is behind what the vault has seen: it was set back.
    package var clockBehind = 0
    /// The consequences of the low limits that the agent was started with.
    package var limitTroubles: [String] = []
    /// The process that holds the keys.
    package var process: Int32 = 0
    /// How the log is kept; nothing where an older agent does not say.
    package var log = Request.LogChanges()

    /// An empty report.
    package init() {}

    /// What `head` says.
    package init(reading head: inout Head) throws(WireError) { try read(from: &head) }
}

extension StatusReport: WireValue {
    /// Hands every member to `coder`, as it goes over the wire and as `--json` prints it.
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
        try coder.textOrNull("sleep-trouble", &sleepTrouble)
        try coder.number("clock-behind", &clockBehind)
        try coder.texts("limit-troubles", &limitTroubles)
        try coder.number("process", &process)
        try log.describe(to: &coder)
    }
}
