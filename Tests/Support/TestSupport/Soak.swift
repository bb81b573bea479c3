internal import Foundation

/// The amount of work in the long tests: a sample in `make test`, everything in `make soak`.
public enum Soak: Sendable {
    /// The steps of each random sequence (`LATCHKEY_SOAK_STEPS`); nil in a daily run.
    public static let steps = number("LATCHKEY_SOAK_STEPS")
    /// The seconds for which clients use an agent (`LATCHKEY_SOAK_SECONDS`); nil in a daily run.
    public static let seconds = number("LATCHKEY_SOAK_SECONDS")
    /// The seed from which random cases begin (`LATCHKEY_SOAK_SEED`), to repeat one that failed.
    public static let seed = UInt64(clamping: number("LATCHKEY_SOAK_SEED") ?? 0)
    /// True if a test enumerates everything, of which it samples a part in a daily run.
    public static var isExhaustive: Bool { steps != nil }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
