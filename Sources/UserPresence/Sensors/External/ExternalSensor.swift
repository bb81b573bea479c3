public import DeviceModel
internal import Glibc
internal import PlainText

/// A sensor that is a command in any language. Latchkey starts it once for each request, writes one line to it, and
/// reads its answer. `docs/sensors.md` describes the protocol.
///
/// A call always returns within the time that you set, and kills what is left of the command's process group. An answer
/// counts only if it is complete and the command exits with status 0. Latchkey believes such an answer.
public struct ExternalSensor: BiometricSensor {
    /// The times that a command may take.
    public struct Patience: Hashable, Sendable {
        /// The time to list the enrolled set, or to remove an enrollment.
        public var list: Duration
        /// The time to wait for a finger or a face.
        public var match: Duration
        /// The time to enroll.
        public var enroll: Duration

        /// Creates the times; by default 5 seconds, 30 seconds and 2 minutes.
        public init(
            list: Duration = .seconds(5), match: Duration = .seconds(30), enroll: Duration = .seconds(120)
        ) {
            self.list = list
            self.match = match
            self.enroll = enroll
        }
    }

    /// The kind of sensor.
    public let kind: SensorKind
    /// False: a command is expected to have hardware behind it.
    public var isFake: Bool { false }
    private let command: [String]
    private let environment: [String: String]
    private let patience: Patience
    private let relay: (@Sendable (String) -> Void)?

    /// Creates a sensor from `command`, an absolute path and arguments. The command gets `PATH`, `LANG` and
    /// `environment`, and no other variables. `relay` is called with each line for the user, such as "Touch the sensor
    /// again".
    public init(
        command: [String], kind: SensorKind, environment: [String: String] = [:], patience: Patience = Patience(),
        relay: (@Sendable (String) -> Void)? = nil
    ) {
        self.command = command
        self.kind = kind
        self.environment = environment
        self.patience = patience
        self.relay = relay
    }

    /// Returns the enrolled set.
    public func enrollments() throws(SensorError) -> Enrollments {
        try answer(.list, within: patience.list).enrollments(kind: kind)
    }

    /// Enrolls a finger or a face. If the prompt ends first, the command is killed and should have enrolled nothing.
    public func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        guard (1...Template.longest).contains(name.utf8.count) else {
            throw .refused("a name has 1 to \(Template.longest) bytes")
        }
        try answer(.enroll(name: name), within: patience.enroll, until: prompt).requireEnrolled()
    }

    /// Removes one enrollment.
    public func remove(_ id: Template.ID) throws(SensorError) {
        guard (1...Template.longest).contains(id.utf8.count) else { throw .notEnrolled }
        try answer(.remove(id), within: patience.list).requireRemoved(id)
    }

    /// Waits for a finger or a face until `prompt` ends. The command sees for itself, so `shown` is not used.
    public func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        try answer(.match, within: patience.match, until: prompt).match()
    }

    private func answer(
        _ request: SensorRequest, within time: Duration, until prompt: Prompt? = nil
    ) throws(SensorError) -> FinalLine {
        if kind == .none { throw .absent("this device has no sensor") }
        let listener = SensorListener(deadline: .now + time, prompt: prompt, relay: request.isForPeople ? relay : nil)
        try listener.requireTime()
        let process = try SensorProcess(command, environment: environment, request: request.line)
        return try FinalLine(listener.answer(of: process))
    }
}

/// The side that reads a command's output, with its deadline.
private struct SensorListener {
    let deadline: ContinuousClock.Instant
    let prompt: Prompt?
    let relay: (@Sendable (String) -> Void)?

    /// The time that the output may stay open after the command itself has ended.
    private static let grace = Duration.milliseconds(500)

    /// Throws if the prompt or the time is over.
    func requireTime() throws(SensorError) {
        if let prompt, prompt.ending != nil { throw .interrupted }
        if ContinuousClock.now >= deadline { throw .timedOut }
    }

    /// Returns the final line. It counts only if the command then exits with status 0.
    func answer(of process: borrowing SensorProcess) throws(SensorError) -> [String: JSON] {
        var answer = SensorAnswer()
        var lastBreath: ContinuousClock.Instant?
        while let bytes = try read(process.output) {
            for saying in try answer.hear(bytes) {
                relay?(saying)
                prompt?.tell(saying)
            }
            // The command may end while another process still has its output, and could keep it open for ever.
            if bytes.isEmpty, let end = process.end {
                if let lastBreath, lastBreath <= .now {
                    try requireSuccess(end)
                    throw .ended("something that it started holds its output open")
                }
                lastBreath = lastBreath ?? .now + Self.grace
            }
        }
        var pause: Int32 = 1
        var end = process.end
        while end == nil {
            try requireTime()
            _ = try wait(for: -1, atMost: pause)
            pause = min(pause * 2, 20)
            end = process.end
        }
        if let end { try requireSuccess(end) }
        try requireTime()
        return try answer.finished()
    }

    private func requireSuccess(_ end: SensorProcess.End) throws(SensorError) {
        switch end {
        case .status(0): return
        case .status(let status): throw .ended("status \(status)")
        case .signal(let number): throw .ended("signal \(number)")
        case .unknown: throw .ended("another part of this process collected its end")
        }
    }

    /// Returns the next bytes of the output; none if nothing came for a while, nil at its end.
    private func read(_ output: Int32) throws(SensorError) -> [UInt8]? {
        try requireTime()
        guard try wait(for: output, atMost: 100) else { return [] }
        var count = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            count = Glibc.read(output, buffer.baseAddress, buffer.count)
            code = errno
            filled = max(count, 0)
        }
        if count == 0 { return nil }
        if count < 0, code != EINTR, code != EAGAIN { throw .ended("its output cannot be read") }
        return bytes
    }

    /// Waits until there is something to read, and returns true. Returns false if the time is over, and throws if the
    /// prompt is.
    private func wait(for output: Int32, atMost milliseconds: Int32) throws(SensorError) -> Bool {
        let left = min((deadline - .now) / .milliseconds(1), Double(milliseconds))
        var waited = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: prompt?.wake ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let found = poll(&waited, 2, max(1, Int32(left.rounded(.up))))
        guard found > 0 else { return false }
        if waited[1].revents != 0 { throw .interrupted }
        return waited[0].revents != 0
    }
}
