public import DeviceModel
internal import Glibc
internal import PlainText

/// A sensor that is a command, in whatever language: started once for each request, told one line, heard until it has ended.
/// `docs/sensors.md` says how it is spoken to.
///
/// The command is believed in what it says, and in nothing else: whatever it does, a call comes back in the time that was set,
/// nothing of the command is left running in its process group, and only a whole answer from a command that ended well counts.
public struct ExternalSensor: BiometricSensor {
    /// How long a command may take.
    public struct Patience: Hashable, Sendable {
        /// For saying whom it knows, and for forgetting somebody.
        public var list: Duration
        /// For waiting until somebody shows up.
        public var match: Duration
        /// For learning somebody.
        public var enroll: Duration

        /// Five seconds, half a minute and two minutes, unless said otherwise.
        public init(
            list: Duration = .seconds(5), match: Duration = .seconds(30), enroll: Duration = .seconds(120)
        ) {
            self.list = list
            self.match = match
            self.enroll = enroll
        }
    }

    /// What it is a sensor for.
    public let kind: SensorKind
    /// A command has hardware behind it, as far as anybody here can tell.
    public var isFake: Bool { false }
    private let command: [String]
    private let environment: [String: String]
    private let patience: Patience
    private let relay: (@Sendable (String) -> Void)?

    /// The sensor behind `command`: an absolute path and arguments. It is started with a path, a language and `environment`, and
    /// nothing else of ours. `relay` is called with what it wants people to be told, such as to touch it again.
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

    /// Everybody that it knows now.
    public func enrollments() throws(SensorError) -> Enrollments {
        try answer(.list, within: patience.list).enrollments(kind: kind)
    }

    /// Enrolls a finger or a face. A command that is ended meanwhile is expected to have enrolled none.
    public func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        guard (1...Template.longest).contains(name.utf8.count) else {
            throw .refused("a name has 1 to \(Template.longest) bytes")
        }
        try answer(.enroll(name: name), within: patience.enroll, until: prompt).requireEnrolled()
    }

    /// Forgets somebody.
    public func remove(_ id: Template.ID) throws(SensorError) {
        guard (1...Template.longest).contains(id.utf8.count) else { throw .notEnrolled }
        try answer(.remove(id), within: patience.list).requireRemoved(id)
    }

    /// Waits for somebody to show up. It sees for itself what it is shown.
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

/// Whoever listens to a command, with what ends their patience.
private struct SensorListener {
    let deadline: ContinuousClock.Instant
    let prompt: Prompt?
    let relay: (@Sendable (String) -> Void)?

    /// For how long its output may stay open after the command itself has ended.
    private static let grace = Duration.milliseconds(500)

    /// Throws when nobody wants the answer any more.
    func requireTime() throws(SensorError) {
        if let prompt, prompt.ending != nil { throw .interrupted }
        if ContinuousClock.now >= deadline { throw .timedOut }
    }

    /// What it says in the end. It counts only when the command ended well after it.
    func answer(of process: borrowing SensorProcess) throws(SensorError) -> [String: JSON] {
        var answer = SensorAnswer()
        var lastBreath: ContinuousClock.Instant?
        while let bytes = try read(process.output) {
            for saying in try answer.hear(bytes) { relay?(saying) }
            // The process may end and leave its output to another, which could keep it for ever.
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

    /// What it has said since; nothing where it said nothing for a while, nil when it has said everything.
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

    /// Waits until there is something to read, for so many milliseconds, or until the prompt or the time is over.
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
