public import SodiumKit

/// Whoever is in front of the device: a person at a terminal, somebody simulated, a closure.
public protocol DeviceUser: Sendable {
    /// True if it answers by itself, without a person.
    var answersAtOnce: Bool { get }
    /// Their answer. No lock is held meanwhile. A prompt that is over needs no answer any more: give up then.
    func answer(_ prompt: Prompt) -> Response
    /// Stands by while the sensor waits for them, and ends `prompt` where they want to be left alone or to take the fallback.
    /// Comes back when the prompt is over.
    func standBy(_ prompt: Prompt)
}

extension DeviceUser {
    /// Somebody who has to be waited for.
    public var answersAtOnce: Bool { false }
    /// Does nothing: whoever is at the sensor has no other way to make themselves heard.
    public func standBy(_ prompt: Prompt) {}
}

/// What somebody does at a prompt.
public enum Response: ~Copyable, Sendable {
    /// Turns to the sensor. What they show is for a fake one, which cannot see for itself.
    case touch(showing: String? = nil)
    /// Types a passcode or a password.
    case typed(SecureBytes)
    /// Confirms on the companion, or permits what was asked.
    case confirm
    /// Takes the other way out.
    case fallback
    /// Dismisses it.
    case cancel
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

    /// Answers as `body` does; `atOnce` where nobody has to be waited for.
    public init(atOnce answersAtOnce: Bool = false, _ body: @escaping @Sendable (Prompt) -> Response) {
        self.answersAtOnce = answersAtOnce
        self.body = body
    }

    /// What the closure answers.
    public func answer(_ prompt: Prompt) -> Response { body(prompt) }
}

/// Nobody: every prompt is dismissed.
public struct NoUser: DeviceUser {
    /// Nobody.
    public init() {}
    /// It answers by itself.
    public var answersAtOnce: Bool { true }
    /// Dismisses it.
    public func answer(_ prompt: Prompt) -> Response { .cancel }
}
