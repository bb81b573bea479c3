public import AccessPolicy
public import DeviceModel
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// One request to the user for one factor, from the moment it appears until it is over.
///
/// An answer, the user, or a lock of the device can end a prompt. The first ending counts.
public final class Prompt: Sendable {
    /// The way in which a prompt ended.
    public enum Ending: Hashable, Sendable {
        /// The user answered.
        case answered
        /// The user took the fallback.
        case fallback
        /// The user dismissed the prompt.
        case canceled
        /// The system ended the prompt, for example because the device was locked.
        case systemCanceled
        /// The app withdrew the prompt.
        case appCanceled
        /// The user did not answer in time.
        case timedOut
    }

    /// The text and the options of the prompt.
    public let content: PromptContent
    private let state = Mutex(State())
    private let relay: (@Sendable (String) -> Void)?

    private struct State {
        var ending: Ending?
        var hasMismatch = false
        /// A pipe. Its writing end is closed when the prompt is over.
        var wake: (reading: Int32, writing: Int32)?
        var watchers: [@Sendable () -> Void] = []
    }

    /// Creates a prompt that waits for its answer.
    public convenience init(_ content: PromptContent) { self.init(content, relay: nil) }

    /// Creates a prompt. `relay` is called with each line of the sensor for the user, such as "Touch again".
    package init(_ content: PromptContent, relay: (@Sendable (String) -> Void)?) {
        self.content = content
        self.relay = relay
    }

    /// Passes on what the sensor says to the user.
    package func tell(_ saying: String) { relay?(saying) }

    deinit {
        state.withLock { state in
            guard let wake = state.wake else { return }
            close(wake.reading)
            if wake.writing >= 0 { close(wake.writing) }
        }
    }

    /// True if the user typed something new twice, and the two differed each time.
    package var hasMismatch: Bool { state.withLock { $0.hasMismatch } }

    /// Notes that the two that the user typed differed each time.
    func recordMismatch() { state.withLock { $0.hasMismatch = true } }

    /// The way in which the prompt ended; nil while it is open.
    public var ending: Ending? { state.withLock { $0.ending } }

    /// Ends the prompt, unless it is over already.
    public func end(_ ending: Ending) {
        let watchers: [@Sendable () -> Void] = state.withLock { state in
            guard state.ending == nil else { return [] }
            defer { state.watchers = [] }
            state.ending = ending
            if let wake = state.wake {
                close(wake.writing)
                state.wake?.writing = -1
            }
            return state.watchers
        }
        for watcher in watchers { watcher() }
    }

    /// Returns a prompt that shows something else instead of this one, and ends with it.
    package func replaced(showing content: PromptContent) -> Prompt {
        let other = Prompt(content)
        whenOver { [weak self] in other.end(self?.ending ?? .appCanceled) }
        return other
    }

    /// Calls `body` when the prompt is over, or at once if it already is.
    public func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.ending == nil { state.watchers.append(body) }
            return state.ending != nil
        }
        if isOver { body() }
    }

    /// A descriptor that polls as readable, or as hung up, once the prompt is over. Use it to wait for the end of the
    /// prompt and for other descriptors at once. It is closed with the prompt, and is -1 if the process has no
    /// descriptors left.
    public var wake: Int32 {
        state.withLock { state in
            if let wake = state.wake { return wake.reading }
            guard let pipe = try? Pipe() else { return -1 }
            var wake = (pipe.reading, pipe.writing)
            if state.ending != nil {
                close(pipe.writing)
                wake.1 = -1
            }
            state.wake = wake
            return pipe.reading
        }
    }
}

/// The request that a prompt makes of the user: the factor, the app, the reason, and what else the user needs to know.
public struct PromptContent: Hashable, Sendable {
    /// The kind of answer that a prompt asks for.
    public enum Kind: Hashable, Sendable {
        /// A finger, a face or a pair of eyes at the sensor.
        case biometry
        /// A confirmation on the companion.
        case companion
        /// The passcode of the device.
        case passcode
        /// The former passcode of the device, asked for once after the login password has changed.
        case formerPasscode
        /// The application password of an item.
        case applicationPassword
        /// A new application password, for an item that is about to be stored.
        case newApplicationPassword
        /// The permission that the app may use the sensor.
        case permission
        /// A new passcode for the device.
        case newPasscode
        /// The recovery key, which sets a new passcode if the present one is forgotten.
        case recoveryKey
        /// The passphrase that a backup is sealed under.
        case passphrase
        /// A new passphrase, to seal a backup under.
        case newPassphrase
        /// A secret to store.
        case newSecret

        /// Creates the kind that asks for `factor`.
        public init(proving factor: Factor) {
            self =
                switch factor {
                case .biometry: .biometry
                case .companion: .companion
                case .passcode: .passcode
                case .applicationPassword: .applicationPassword
                }
        }
    }

    /// The kind of answer that the prompt asks for.
    public var kind: Kind
    /// The reason, in the app's words.
    ///
    /// Begin it with a verb in lower case, as on a Mac: a terminal shows "open the diary" as `"Diary" wants to open the
    /// diary.` Any other reason gets a line of its own.
    public var reason: String
    /// The name of the app that asks.
    public var app: String
    /// True if the prompt offers a fallback, such as the passcode instead of a finger.
    public var offersFallback: Bool
    /// True if the fallback appears after the first wrong answer, as on Apple's devices. A prompt of a real vault
    /// offers it at once or never.
    public var offersFallbackLater = false
    /// The app's title for the fallback; nil for the usual one.
    public var fallbackTitle: String?
    /// The app's title for canceling; nil for the usual one.
    public var cancelTitle: String?
    /// The number of this attempt, counted from one. All earlier ones were wrong.
    public var attempt = 1
    /// The place of this attempt among those after which none is accepted; nil if there is no such limit, or it is unknown.
    public var allowance: Allowance?
    /// The program that asks, as the system identifies it; nil if unknown.
    public var caller: Caller?
    /// The name of the secret that the user's answer opens, if the reason does not name it.
    public var secret: String?
    /// The name of the field whose contents the user types; nil for the value of a secret.
    public var field: String?
    /// The requests that the user's answer counts for; nil if unknown.
    public var reach: Reach?
    /// True if the prompt belongs to a program of another terminal, whose request the user approves at this one.
    package var isForAnotherTerminal = false
    /// The messages of the authenticator for the user.
    public var notes: [String] = []
    /// The kind of sensor that the device has.
    public var sensor: SensorKind = .none
    /// The names of the enrolled fingers or faces.
    public var enrolled: [String] = []
    /// True if the sensor is a fake one, and the user has to name the finger that touches it.
    public var isSensorFake = false

    /// Creates the content of a prompt.
    public init(_ kind: Kind, reason: String = "", app: String = "", offersFallback: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.app = app
        self.offersFallback = offersFallback
    }
}
