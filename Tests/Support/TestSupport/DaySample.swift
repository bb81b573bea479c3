internal import Foundation

/// The share of an enumeration that a daily run takes. `make soak` takes all of it.
///
/// A seed chooses the cases: the number of the day, or `LATCHKEY_SEED`, which `make test` prints and takes (`SEED=N`).
/// The same seed chooses the same cases.
public enum DaySample: Sendable {
    /// The seed of this run.
    public static let seed: UInt64 =
        ProcessInfo.processInfo.environment["LATCHKEY_SEED"].flatMap { UInt64($0) }
        ?? UInt64(Date().timeIntervalSince1970 / 86_400)

    /// Returns true if this run takes case number `number` of an enumeration of which a daily run takes one in `share`.
    public static func takes(_ number: Int, oneIn share: Int) -> Bool {
        Soak.isExhaustive || (UInt64(truncatingIfNeeded: number) &+ scattered(seed)) % UInt64(share) == 0
    }

    /// Returns true for about one in `share` of the cases, which no regularity of the enumeration can skip.
    public static func takesScattered(_ number: Int, oneIn share: Int) -> Bool {
        Soak.isExhaustive || scattered(UInt64(truncatingIfNeeded: number) ^ scattered(seed)) % UInt64(share) == 0
    }

    /// Returns the elements that this run takes of those of which a daily run takes one in `share`.
    public static func of<Element>(_ elements: some Collection<Element>, oneIn share: Int) -> [Element] {
        elements.enumerated().filter { takes($0.offset, oneIn: min(share, elements.count)) }.map(\.element)
    }

    /// Returns a number that tells nothing of `number` (SplitMix64).
    private static func scattered(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
