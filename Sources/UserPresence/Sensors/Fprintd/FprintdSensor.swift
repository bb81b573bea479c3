public import DeviceModel
internal import Synchronization
internal import SystemServices

/// The fingerprint reader of this machine, which fprintd serves.
///
/// It speaks with the service on the system bus, and believes it only if root runs it. fprintd knows fingers by their
/// names: it does not tell if the print under a name was replaced. `docs/sensors.md` lists its limits.
public final class FprintdSensor: BiometricSensor {
    /// Touch ID: fprintd serves readers for fingers.
    public var kind: SensorKind { .touchID }
    /// False: fprintd serves hardware.
    public var isFake: Bool { false }
    /// True: a user who is logged in over a network cannot touch the reader.
    public var isAtMachine: Bool { true }

    private let address: String
    private let owner: UInt32
    private let patience: ExternalSensor.Patience
    /// The time for fprintd to let go of an earlier claim.
    private let patienceForClaim: Duration
    private let relay: (@Sendable (String) -> Void)?
    /// The end of the time in which a service that did not answer is not asked again.
    private let silence = Mutex<ContinuousClock.Instant?>(nil)

    /// The time for which a service that did not answer is not asked again, so that prompts for the passcode do not wait.
    private static let silenceAfterTimeout = Duration.seconds(10)

    /// Creates the sensor. `relay` is called with each line for the user, such as "Touch again".
    public convenience init(relay: (@Sendable (String) -> Void)? = nil) {
        self.init(bus: SystemBus.systemAddress, ownedBy: 0, relay: relay)
    }

    /// Creates a sensor on another bus, for tests. No setting of a vault leads here.
    package init(
        bus address: String, ownedBy owner: UInt32, patience: ExternalSensor.Patience = .init(),
        claim: Duration = .seconds(3), relay: (@Sendable (String) -> Void)? = nil
    ) {
        self.address = address
        self.owner = owner
        self.patience = patience
        patienceForClaim = claim
        self.relay = relay
    }

    /// Returns the enrolled fingers of this user.
    public func enrollments() throws(SensorError) -> Enrollments {
        if let end = silence.withLock({ $0 }), .now < end { throw .timedOut }
        do {
            let reader = try reader(patience.list, nil)
            let fingers = try fingers(of: reader)
            let identity = Self.identity(ofModel: try reader.model)
            silence.withLock { $0 = nil }
            return try Enrollments(
                sensor: identity, fingers.map { Template(id: $0, name: FprintdFinger.name(of: $0)) })
        } catch {
            if error == .timedOut { silence.withLock { $0 = .now + Self.silenceAfterTimeout } }
            throw error
        }
    }

    /// Enrolls the finger that people call `name`, such as `right index`.
    public func enroll(_ name: String, until prompt: Prompt) throws(SensorError) {
        guard let finger = FprintdFinger(called: name) else {
            throw .refused("fprintd has fixed names for fingers: use one of \(FprintdFinger.names)")
        }
        let reader = try reader(patience.enroll, prompt)
        let fingers = try fingers(of: reader)
        if fingers.contains(finger.id) { throw .alreadyEnrolled }
        if fingers.count >= kind.capacity { throw .full }
        try reader.claim(within: patienceForClaim)
        defer { reader.release(stopping: "EnrollStop") }
        let (verb, stages) = (reader.isForSwiping ? "Swipe" : "Touch", reader.stages)
        var touches = 1
        func say(_ saying: String) {
            relay?(saying)
            prompt.tell(saying)
        }
        say("\(verb) the reader with your \(finger.name)\(stages.map { " (1 of \($0))" } ?? "")")
        let (result, _) = try reader.result(of: "EnrollStart", finger.id, reportedBy: "EnrollStatus") { result in
            guard case .again(let saying) = result else { return }
            if saying == "Touch again" { touches += 1 }
            say(saying == "Touch again" ? "\(verb) again\(stages.map { " (\(touches) of \($0))" } ?? "")" : saying)
        }
        switch result {
        case .success: return
        case .failed(let failure): throw failure
        case .again, .noMatch: throw .garbage("fprintd ended the enrollment without a result")
        }
    }

    /// Removes one enrollment.
    public func remove(_ id: Template.ID) throws(SensorError) {
        let reader = try reader(patience.list, nil)
        guard try reader.fingers.contains(id) else { throw .notEnrolled }
        try reader.claim(within: patienceForClaim)
        defer { reader.release() }
        try reader.delete(id)
    }

    /// Waits for a finger until `prompt` ends. The reader sees for itself, so `shown` is not used.
    public func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch {
        let reader = try reader(patience.match, prompt)
        let fingers = try fingers(of: reader)
        guard let first = fingers.first else { return .noMatch }
        try reader.claim(within: patienceForClaim)
        defer { reader.release(stopping: "VerifyStop") }
        let (result, selected) = try reader.result(of: "VerifyStart", "any", reportedBy: "VerifyStatus") { result in
            guard case .again(let saying) = result else { return }
            relay?(saying)
            prompt.tell(saying)
        }
        switch result {
        // If several fingers are enrolled, fprintd may not say which one matched.
        case .success: return .matched(selected.flatMap { fingers.contains($0) ? $0 : nil } ?? first)
        case .noMatch: return .noMatch
        case .failed(let failure): throw failure
        case .again: throw .garbage("fprintd ended the comparison without a result")
        }
    }

    private func reader(_ time: Duration, _ prompt: Prompt?) throws(SensorError) -> FprintdReader {
        try FprintdReader(address, ownedBy: owner, FprintdReader.Limit(end: .now + time, prompt: prompt))
    }

    private func fingers(of reader: FprintdReader) throws(SensorError) -> [String] {
        let fingers = try reader.fingers
        guard fingers.count <= kind.capacity else {
            throw .refused(
                "fprintd knows \(fingers.count) of your fingers, and Latchkey takes \(kind.capacity): "
                    + "remove some in the settings of your desktop")
        }
        return fingers
    }

    /// Returns the identity of a reader: fprintd tells its model only.
    static func identity(ofModel model: String) -> String {
        var identity = "fprintd \(model)"
        while identity.utf8.count > Template.longest { identity.removeLast() }
        return identity
    }
}
