public import SodiumKit

/// The user of the device: a person at a terminal, a simulated person, or a closure.
public protocol DeviceUser: Sendable {
    /// True if the user answers at once, without a person.
    var answersAtOnce: Bool { get }
    /// Returns the user's answer to `prompt`. No lock is held during the call. If the prompt ends first, return
    /// anything.
    func answer(_ prompt: Prompt) -> Response
    /// Waits with the user while the sensor works, and ends `prompt` if the user cancels it or takes the fallback.
    /// Returns once the prompt is over.
    func standBy(_ prompt: Prompt)
}

extension DeviceUser {
    /// False: the device waits for the answer.
    public var answersAtOnce: Bool { false }
    /// Does nothing: the user can neither cancel nor take the fallback while the sensor works.
    public func standBy(_ prompt: Prompt) {}
}

/// A user who can be shown lines before a prompt.
package protocol AnnouncingUser: DeviceUser {
    /// Shows these lines. Returns true if the user can have read them.
    func announce(_ lines: [String]) -> Bool
}

/// An answer to a prompt.
public enum Response: ~Copyable, Sendable {
    /// The user turns to the sensor. `showing` names the finger for a fake sensor, which cannot see one.
    case touch(showing: String? = nil)
    /// The user types a passcode, a password or a secret.
    case typed(SecureBytes)
    /// The user confirms on the companion, or permits what the app asked for.
    case confirm
    /// The user takes the fallback.
    case fallback
    /// The user dismisses the prompt.
    case cancel

    /// True if the user turns to the sensor.
    package var isTouch: Bool {
        switch self {
        case .touch: true
        case .typed: false
        case .confirm: false
        case .fallback: false
        case .cancel: false
        }
    }

    /// True if the user dismisses the prompt.
    package var isDismissal: Bool {
        switch self {
        case .cancel: true
        case .touch: false
        case .typed: false
        case .confirm: false
        case .fallback: false
        }
    }
}

/// A user that is a closure.
///
///     ClosureUser { prompt in
///         guard prompt.content.kind == .passcode, let passcode = try? SecureBytes(ask()) else { return .cancel }
///         return .typed(passcode)
///     }
public struct ClosureUser: DeviceUser {
    /// True if the closure answers by itself.
    public let answersAtOnce: Bool
    private let body: @Sendable (Prompt) -> Response

    /// Creates a user that answers as `body` does. Pass true for `atOnce` if `body` waits for no person.
    public init(atOnce answersAtOnce: Bool = false, _ body: @escaping @Sendable (Prompt) -> Response) {
        self.answersAtOnce = answersAtOnce
        self.body = body
    }

    /// Returns the answer of the closure.
    public func answer(_ prompt: Prompt) -> Response { body(prompt) }
}

/// An absent user, who dismisses every prompt.
public struct NoUser: DeviceUser {
    /// Creates an absent user.
    public init() {}
    /// True: every prompt is dismissed at once.
    public var answersAtOnce: Bool { true }
    /// Dismisses the prompt.
    public func answer(_ prompt: Prompt) -> Response { .cancel }
}
