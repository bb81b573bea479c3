public import AccessPolicy
internal import DeviceModel
package import Latchkey
internal import LocalAuthentication
internal import Synchronization
internal import UserPresence

/// A device for a test: `import Security` and `import LocalAuthentication` mean this one inside ``run(_:)-(()->Result)``.
///
///     let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
///     try device.run {
///         try TokenStore().save("s3cret")
///         device.enroll("left thumb")
///         #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
///     }
///
/// It starts booted and unlocked, held by its owner, with an app that has all it needs. Its clock starts at zero and goes only
/// by ``advance(by:)``; on the calendar, which items are dated by, it is the first of January 2026 then, at midnight in
/// Greenwich. Nothing but its own calls changes it, so that a test runs the same every time, and beside others.
public final class SimulatedDevice: Sendable {
    /// The kind of sensor.
    public enum Biometry: Hashable, Sendable {
        /// None.
        case none
        /// Fingers: up to five.
        case touchID
        /// Faces: up to two.
        case faceID
        /// One pair of eyes.
        case opticID
    }

    /// What Apple's system ends a program for: Face ID without its usage text, and a prompt without a reason.
    public enum Misuse: Hashable, Sendable {
        /// It ends the test with a message, as it would end the app.
        case endsTheProgram
        /// It is an error.
        case isAnError
    }

    /// The keychain of the device, for what has no name of Apple's.
    package let keychain: Keychain
    let logbook = Logbook()
    private let state: Mutex<State>

    private struct State {
        var passcode: String?
        /// Whoever holds it; nil for its owner, whoever that is at the moment.
        var user: Person?
        var app: App
        /// Where the apps are on the device, by identifier; the one that was there last comes last.
        var whenAsked: (@Sendable (SimulatedDevice, PromptRecord) -> Void)?
        var places: [(app: String, id: AppID)] = []
        var groups: Set<String> = []
    }

    /// A device. Every argument has a default.
    ///
    /// - Parameters:
    ///   - biometry: The kind of sensor.
    ///   - passcode: The passcode; nil for none, and then nobody is enrolled either.
    ///   - enrolled: Who is enrolled, by names that you choose.
    ///   - app: The app that is under test.
    ///   - lockGrace: How long items *when unlocked* stay readable after a lock: on Apple's devices about ten seconds.
    ///   - fidelity: Which version of each disputed fact holds.
    public init(
        biometry: Biometry = .touchID, passcode: String? = "1234", enrolled: [String] = ["right index"],
        app: App = App(), lockGrace: Duration = .seconds(10), fidelity: Fidelity = Fidelity()
    ) {
        let settings = DeviceSettings(sensor: biometry.kind, lockGrace: TimeSpan(lockGrace), fidelity: fidelity)
        let enrolled = passcode == nil || biometry == .none ? [] : enrolled
        do throws(KeychainError) {
            keychain = try Keychain.simulated(settings, passcode: passcode, enrolled: enrolled)
        } catch {
            fatalError("no such device can be: \(error)")
        }
        state = Mutex(State(passcode: passcode, app: app))
        keychain.user = ClosureUser(atOnce: true) { [weak self] prompt in self?.answer(prompt) ?? .cancel }
        // Only a real vault refuses to be watched.
        try? keychain.watch(by: logbook)
        install(app)
        logbook.clear()
        StrayCalls.watch()
    }

    private func answer(_ prompt: Prompt) -> Response {
        let content = prompt.content
        if let record = PromptRecord(content, .answered) { whenAsked?(self, record) }
        return user.simulated.answer(prompt)
    }

    deinit { keychain.close() }

    // MARK: - Who is there

    /// Whoever holds the device: its owner, unless somebody else is put there.
    ///
    ///     device.user = .stranger
    public var user: Person {
        get { state.withLock { $0.user } ?? owner }
        set { state.withLock { $0.user = newValue } }
    }

    /// Called when somebody is about to be asked, before they answer: to have something happen while the prompt is up, or to
    /// put somebody else there for the next attempt. It is handed the device, so that it need not hold it.
    ///
    ///     device.whenAsked = { device, _ in device.lock() }           // the prompt is taken away
    public var whenAsked: (@Sendable (SimulatedDevice, PromptRecord) -> Void)? {
        get { state.withLock { $0.whenAsked } }
        set { state.withLock { $0.whenAsked = newValue } }
    }

    /// The app that is asking. What the user has answered about Face ID shows in it: put back what you read here to keep it.
    ///
    ///     device.app = App(identifier: "com.example.other")      // another app: it sees none of the first one's items
    public var app: App {
        get {
            var app = declaredApp
            if let known = (try? keychain.device)?.app(keychain.requester.app) {
                app.faceIDPermission = App.Permission(known.permission)
            }
            return app
        }
        set {
            state.withLock { $0.app = newValue }
            install(newValue)
        }
    }

    /// What becomes of what Apple's system ends a program for.
    ///
    ///     device.misuse = .isAnError
    public var misuse: Misuse {
        get { logbook.outlivesMisuse ? .isAnError : .endsTheProgram }
        set { logbook.outlivesMisuse = newValue == .isAnError }
    }

    /// Whoever has all that the device knows now.
    var owner: Person {
        let companion = (try? keychain.device)?.companion.isPaired ?? false
        return Person(fingers: enrolled, passcode: passcode, wearsCompanion: companion)
    }

    /// Who is enrolled, by name.
    public var enrolled: [String] { (try? keychain.enrolledNames) ?? [] }

    /// The passcode; nil for none.
    public internal(set) var passcode: String? {
        get { state.withLock { $0.passcode } }
        set { state.withLock { $0.passcode = newValue } }
    }

    /// All access groups that an app on the device has had, with those of its rights.
    var knownGroups: [String] { state.withLock { $0.groups.sorted() } }

    /// The app as the test has put it there.
    var declaredApp: App { state.withLock { $0.app } }

    private func install(_ app: App) {
        let id: AppID? = state.withLock { state in
            // A new one takes a free place, or that of whichever was away longest.
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
        let requester = Requester(app.identifier, groups: app.allGroups, app: id)
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
    /// The same in whole milliseconds, a part of one as a whole: some time is never none. What is too long for them is as long
    /// as can be.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        self = .seconds(seconds) + TimeSpan(milliseconds: milliseconds + rest.signum())
    }
}
