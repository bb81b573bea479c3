internal import PlainText

/// How a vault is, and who holds its keys.
package struct StatusReport: Hashable, Sendable {
    /// Whether secrets can be opened.
    package enum State: String, CaseIterable, Sendable {
        /// Nothing was unlocked since the agent started.
        case beforeFirstUnlock = "before-first-unlock"
        /// It is locked.
        case locked
        /// It is unlocked.
        case unlocked
    }

    /// The folder of the vault.
    package var vault: String
    /// Whether secrets can be opened.
    package var state: State
    /// Which kind of sensor there is.
    package var sensor: String
    /// Whether it is a fake one.
    package var isSensorFake: Bool
    /// Whom it knows.
    package var enrolled: [String]
    /// Why it cannot be asked now; nil where it can.
    package var sensorTrouble: String?
    /// The service that PAM is asked; nil where the keys alone judge the passcode.
    package var service: String?
    /// After how many seconds without a request it is locked; nil for never.
    package var locksAfter: Int?
    /// How many wrong passcodes were counted.
    package var failedAttempts: Int
    /// For how many seconds no passcode is taken.
    package var delay: Int
    /// Why the vault would not be locked when the machine goes to sleep; nil where it would.
    package var sleepTrouble: String?
    /// By how many seconds the clock is behind what the vault has seen: it was set back.
    package var clockBehind: Int
    /// The consequences of the low limits that the agent was started with.
    package var limitTroubles: [String]
    /// The process that holds the keys.
    package var process: Int32
    /// How the log is kept; nothing where an older agent does not say.
    package var log = Request.LogChanges()

    package init(
        vault: String, state: State, sensor: String, isSensorFake: Bool, enrolled: [String], sensorTrouble: String?,
        service: String?, locksAfter: Int?, failedAttempts: Int, sleepTrouble: String?, clockBehind: Int, delay: Int,
        limitTroubles: [String] = [], process: Int32
    ) {
        self.vault = vault
        self.state = state
        self.sensor = sensor
        self.isSensorFake = isSensorFake
        self.enrolled = enrolled
        self.sensorTrouble = sensorTrouble
        self.service = service
        self.locksAfter = locksAfter
        self.failedAttempts = failedAttempts
        self.delay = delay
        self.sleepTrouble = sleepTrouble
        self.clockBehind = clockBehind
        self.limitTroubles = limitTroubles
        self.process = process
    }

    /// What `head` says.
    package init(reading head: inout Head) throws(WireFault) {
        vault = try head.takeText("vault")
        guard let state = State(rawValue: try head.takeText("state")) else {
            throw .malformed("there is no state of this name")
        }
        self.state = state
        sensor = try head.takeText("sensor")
        isSensorFake = try head.takeFlag("sensor-is-fake")
        enrolled = try head.takeTexts("enrolled")
        sensorTrouble = try head.takeTextIfThere("sensor-trouble")
        service = try head.takeTextIfThere("pam-service")
        locksAfter = try head.takeNumberIfThere("locks-after").map { Int(clamping: $0) }
        failedAttempts = Int(clamping: try head.takeNumber("failed-attempts"))
        delay = Int(clamping: try head.takeNumber("delay"))
        sleepTrouble = try head.takeTextIfThere("sleep-trouble")
        clockBehind = Int(clamping: try head.takeNumber("clock-behind"))
        limitTroubles = try head.takeTexts("limit-troubles")
        process = Int32(clamping: try head.takeNumber("process"))
        log = try Request.LogChanges(from: &head)
    }

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        var head = Head([
            "vault": .string(vault), "state": .string(state.rawValue), "sensor": .string(sensor),
            "sensor-is-fake": .bool(isSensorFake), "enrolled": .array(enrolled.map { .string($0) }),
            "sensor-trouble": sensorTrouble.map { .string($0) } ?? .null,
            "pam-service": service.map { .string($0) } ?? .null,
            "locks-after": locksAfter.map { .number("\($0)") } ?? .null,
            "failed-attempts": .number("\(failedAttempts)"), "delay": .number("\(delay)"),
            "sleep-trouble": sleepTrouble.map { .string($0) } ?? .null, "clock-behind": .number("\(clockBehind)"),
            "limit-troubles": .array(limitTroubles.map { .string($0) }), "process": .number("\(process)"),
        ])
        log.write(to: &head)
        return head
    }
}
