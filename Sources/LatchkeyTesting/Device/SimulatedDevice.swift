public import AccessPolicy
internal import DeviceModel
package import Latchkey
internal import LatchkeyFiles
internal import LocalAuthentication
internal import Synchronization
internal import UserPresence

/// A simulated device for tests of code that uses `Security` and `LocalAuthentication`.
///
/// Inside `run`, the calls of your code reach this device.
///
/// ```swift
/// let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
/// try device.run {
///     try TokenStore().save("s3cret")
///     device.enroll("left thumb")
///     #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
/// }
/// ```
///
/// A new device has booted, is unlocked and is held by its owner. Its app has all the access it needs. The clock starts
/// at zero and only ``advance(by:)`` moves it; items are dated from midnight UTC on January 1, 2026. Nothing else
/// changes the device, so a test gives the same result every time, and tests run in parallel.
public final class SimulatedDevice: Sendable {
    /// A kind of sensor.
    public enum Biometry: Hashable, Sendable {
        /// No sensor.
        case none
        /// Touch ID: up to five fingers.
        case touchID
        /// Face ID: up to two faces.
        case faceID
        /// Optic ID: one pair of eyes.
        case opticID
    }

    /// The answer to misuse for which Apple's system ends an app: Face ID without its usage text, and a prompt without
    /// a reason.
    public enum Misuse: Hashable, Sendable {
        /// The program ends with a message, as the app would.
        case endsTheProgram
        /// The call returns an error.
        case isAnError
    }

    /// The keychain of the device, for what Apple's interfaces do not offer.
    package let keychain: Keychain
    let logbook = Logbook()
    let filePlace = FilePlace()
    let defaultsStore = DefaultsStore()
    /// The answers of ``answers`` that are left.
    let script = Mutex<[Answer]>([])
    private let state: Mutex<State>

    private struct State {
        var passcode: String?
        /// The person who holds the device; nil for its present owner.
        var user: Person?
        var app: App
        var whenAsked: (@Sendable (SimulatedDevice, PromptRecord) -> Void)?
        /// The apps of the device and their numbers, the most recent one last.
        var places: [(app: String, id: AppID)] = []
        var groups: Set<String> = []
        /// The account to which the device was signed in last.
        var account: AccountCore?
        var hasNoNetwork = false
    }

    /// Creates a device. Every argument has a default.
    ///
    /// - Parameters:
    ///   - biometry: The kind of sensor.
    ///   - passcode: The passcode; nil for none. A device without a passcode has no enrollments either.
    ///   - enrolled: The names of the enrolled fingers or faces, which you choose.
    ///   - app: The app under test.
    ///   - lockGrace: The time for which items *when unlocked* stay readable after a lock: about ten seconds on Apple's
    ///     devices.
    ///   - fidelity: The version of each disputed fact.
    public init(
        biometry: Biometry = .touchID, passcode: String? = "1234", enrolled: [String] = ["right index"],
        app: App = App(), lockGrace: Duration = .seconds(10), fidelity: Fidelity = Fidelity()
    ) {
        let settings = DeviceSettings(sensor: biometry.kind, lockGrace: TimeSpan(lockGrace), fidelity: fidelity)
        let enrolled = passcode == nil || biometry == .none ? [] : enrolled
        do {
            keychain = try Keychain.simulated(settings, passcode: passcode, enrolled: enrolled)
        } catch {
            fatalError("no device can be created like this: \(error)")
        }
        state = Mutex(State(passcode: passcode, app: app))
        keychain.user = ClosureUser(atOnce: true) { [weak self] prompt in self?.answer(prompt) ?? .cancel }
        // Only a vault that keeps secrets refuses a watcher.
        try? keychain.watch(by: logbook)
        install(app)
        logbook.clear()
        StrayCalls.noteDevice()
    }

    private func answer(_ prompt: Prompt) -> Response {
        let content = prompt.content
        if let record = PromptRecord(content, .answered) { whenAsked?(self, record) }
        // A prompt that the closure has ended takes no answer.
        return prompt.ending == nil ? nextAnswer(to: prompt) : .cancel
    }

    deinit { keychain.close() }

    // MARK: - User and app

    /// The person who holds the device: its owner, unless you set another.
    ///
    ///     device.user = .stranger
    public var user: Person {
        get { state.withLock { $0.user } ?? owner }
        set { state.withLock { $0.user = newValue } }
    }

    /// A closure that is called before the user answers a prompt.
    ///
    /// Use it to make an event happen while the prompt is shown, or to set another user for the next attempt. It
    /// receives the device, so it need not capture it. It is called for each attempt, and ``PromptRecord/attempts`` is the
    /// number of the attempt: 1, 2, 3 and so on.
    ///
    ///     device.whenAsked = { device, _ in device.lock() }           // The lock dismisses the prompt.
    ///     device.whenAsked = { device, prompt in if prompt.attempts == 2 { device.companion = .ready } }
    public var whenAsked: (@Sendable (SimulatedDevice, PromptRecord) -> Void)? {
        get { state.withLock { $0.whenAsked } }
        set { state.withLock { $0.whenAsked = newValue } }
    }

    /// The app that makes the calls.
    ///
    /// Its `faceIDPermission` shows the user's answer. To keep the answer, change the value that you read here and set
    /// it again.
    ///
    ///     device.app = App(identifier: "com.example.other")      // Another app sees none of the first one's items.
    public var app: App {
        get {
            var app = declaredApp
            if let known = (try? keychain.device)?.app(keychain.requester.app) {
                app.faceIDPermission = App.Permission(known.permission)
            }
            return app
        }
        set {
            var former = app
            let goes = former.isInBackground != newValue.isInBackground
            former.isInBackground = newValue.isInBackground
            state.withLock { $0.app = newValue }
            if former != newValue { install(newValue) }
            if goes { move(toBackground: newValue.isInBackground) }
        }
    }

    /// The answer to misuse for which Apple's system ends an app.
    ///
    ///     device.misuse = .isAnError
    public var misuse: Misuse {
        get { logbook.outlivesMisuse ? .isAnError : .endsTheProgram }
        set { logbook.outlivesMisuse = newValue == .isAnError }
    }

    /// The person who has every factor that the device knows now.
    var owner: Person {
        let companion = (try? keychain.device)?.companion.isPaired ?? false
        return Person(fingers: enrolled, passcode: passcode, wearsCompanion: companion)
    }

    /// The names of the enrolled fingers or faces.
    public var enrolled: [String] { (try? keychain.enrolledNames) ?? [] }

    /// The passcode; nil for none.
    public internal(set) var passcode: String? {
        get { state.withLock { $0.passcode } }
        set { state.withLock { $0.passcode = newValue } }
    }

    /// The account to which the device was signed in last.
    var account: AccountCore? {
        get { state.withLock { $0.account } }
        set { state.withLock { $0.account = newValue } }
    }

    /// True if the device has no network.
    var hasNoNetwork: Bool {
        get { state.withLock { $0.hasNoNetwork } }
        set { state.withLock { $0.hasNoNetwork = newValue } }
    }

    /// All access groups that an app on the device has had, with those of its rights.
    var knownGroups: [String] { state.withLock { $0.groups.sorted() } }

    /// The app as the test has set it.
    var declaredApp: App { state.withLock { $0.app } }

    private func move(toBackground isInBackground: Bool) {
        logbook.note(isInBackground ? "the app goes to the background" : "the app comes to the foreground")
        keychain.moveRequester(toBackground: isInBackground)
    }

    private func install(_ app: App) {
        let id: AppID? = state.withLock { state in
            // A new app takes a free number, or that of the app that has been away longest.
            var id = AppID(rawValue: UInt8(state.places.count))
            if let known = state.places.firstIndex(where: { $0.app == app.identifier }) {
                id = state.places.remove(at: known).id
            } else if id == nil {
                id = state.places.removeFirst().id
            }
            if let id { state.places.append((app.identifier, id)) }
            return id
        }
        guard let id else { return }
        var requester = Requester(app.identifier, groups: app.allGroups, app: id)
        requester.isInBackground = app.isInBackground
        state.withLock { $0.groups.formUnion(requester.groups + requester.ofRights.groups) }
        keychain.requester = requester
        attempt("install \(app.identifier)") { () throws(KeychainError) in
            try keychain.simulate(.appInstalled(id, app.onDevice))
        }
    }
}

extension SimulatedDevice.Biometry {
    init(_ kind: SensorKind) {
        self =
            switch kind {
            case .none: .none
            case .touchID: .touchID
            case .faceID: .faceID
            case .opticID: .opticID
            }
    }

    fileprivate var kind: SensorKind {
        switch self {
        case .none: .none
        case .touchID: .touchID
        case .faceID: .faceID
        case .opticID: .opticID
        }
    }
}

extension TimeSpan {
    /// Creates a span of whole milliseconds. A fraction of one counts as one, so that no time passes unnoticed. A
    /// duration that is too long becomes the longest span.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        self = .seconds(seconds) + TimeSpan(milliseconds: milliseconds + rest.signum())
    }
}
