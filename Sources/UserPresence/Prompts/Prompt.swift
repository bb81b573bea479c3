public import AccessPolicy
public import DeviceModel
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// One question to whoever holds the device, from when it is asked until it is over.
///
/// It may be ended from several sides: by an answer, by the user's wish, or because the device was locked under it. The
/// first counts.
public final class Prompt: Sendable {
    /// How a prompt ended without the answer that was asked for, or with it.
    public enum Ending: Hashable, Sendable {
        /// It was answered.
        case answered
        /// The user wants the other way out.
        case fallback
        /// The user wants to be left alone.
        case canceled
        /// The device was locked, or something else took over.
        case systemCanceled
        /// The app does not want it any more.
        case appCanceled
        /// Nobody answered.
        case timedOut
    }

    /// What is asked.
    public let content: PromptContent
    private let state = Mutex(State())

    private struct State {
        var ending: Ending?
        /// A pipe; its other end is closed when the prompt is over.
        var wake: (reading: Int32, writing: Int32)?
        var watchers: [@Sendable () -> Void] = []
    }

    /// A question that waits for its answer.
    public init(_ content: PromptContent) { self.content = content }

    deinit {
        state.withLock { state in
            guard let wake = state.wake else { return }
            close(wake.reading)
            if wake.writing >= 0 { close(wake.writing) }
        }
    }

    /// How it ended; nil as long as it has not.
    public var ending: Ending? { state.withLock { $0.ending } }

    /// Ends it, unless it has ended already.
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

    /// Calls `body` once it is over, at once where it is already.
    public func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.ending == nil { state.watchers.append(body) }
            return state.ending != nil
        }
        if isOver { body() }
    }

    /// A descriptor that polls as readable, or as hung up, once the prompt is over, for whoever waits for several things at
    /// once. It is closed with the prompt; -1 where the process has no descriptors left.
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

/// The request that a prompt makes of the user, with what they need to know for it.
public struct PromptContent: Hashable, Sendable {
    /// What is wanted of them.
    public enum Kind: Hashable, Sendable {
        /// A finger, a face or a pair of eyes for the sensor.
        case biometry
        /// That they confirm on the companion.
        case companion
        /// The passcode of the device.
        case passcode
        /// The passcode that the device had before: the login password has become another one since.
        case formerPasscode
        /// The password of the application.
        case applicationPassword
        /// A new password of the application, for something that is about to be stored.
        case newApplicationPassword
        /// Whether the app may use the sensor.
        case permission
        /// The passcode that the device is to have from now on.
        case newPasscode
        /// What sets another passcode where the present one is forgotten.
        case recoveryKey
        /// What a backup was sealed under.
        case passphrase
        /// What a backup is to be sealed under.
        case newPassphrase
        /// Something to be kept.
        case newSecret

        /// What is asked for in order to prove `factor`.
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

    /// What is wanted.
    public var kind: Kind
    /// What for, in the app's words.
    public var reason: String
    /// Who asks.
    public var app: String
    /// True if there is another way out than to answer or to cancel.
    public var offersFallback: Bool
    /// True if that way out appears once answers were wrong, as Apple's does. A prompt of a real vault offers it at once or not
    /// at all.
    public var offersFallbackLater = false
    /// What the app calls that way out; nil for the usual words.
    public var fallbackTitle: String?
    /// What the app calls the way out that leads nowhere; nil for the usual word.
    public var cancelTitle: String?
    /// Which answer it would be, counted from one: after the first, those before were wrong.
    public var attempt = 1
    /// The authenticator's messages for the user.
    public var notes: [String] = []
    /// Which kind of sensor there is.
    public var sensor: SensorKind = .none
    /// Whom the sensor knows, by name.
    public var enrolled: [String] = []
    /// True if the sensor is a fake one, which has to be told what it is shown.
    public var isSensorFake = false

    /// Something is wanted.
    public init(_ kind: Kind, reason: String = "", app: String = "", offersFallback: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.app = app
        self.offersFallback = offersFallback
    }
}
