internal import Foundation

/// How much the long tests do: a sample in `make test`, everything in `make soak`.
public enum Soak: Sendable {
    /// The steps of each random sequence, as `LATCHKEY_SOAK_STEPS` says them; nil in a daily run.
    public static let steps = number("LATCHKEY_SOAK_STEPS")
    /// The seconds for which clients work at an agent, as `LATCHKEY_SOAK_SECONDS` says them; nil in a daily run.
    public static let seconds = number("LATCHKEY_SOAK_SECONDS")
    /// True if a test enumerates what it samples in a daily run.
    public static var isExhaustive: Bool { steps != nil }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
