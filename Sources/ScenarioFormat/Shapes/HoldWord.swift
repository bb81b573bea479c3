internal import PolicyProver

/// A word for the state in which an attacker gets the device.
struct HoldWord {
    /// The word in files.
    let word: String
    let hold: Hold
    /// The time since the lock; nil if the word leaves that to assumptions.
    let held: Assumptions.Held?

    /// Every state by its own word, and the two ages of a lock, which imply a locked device.
    static let all =
        Hold.allCases.map { HoldWord(word: $0.name, hold: $0, held: nil) }
        + Assumptions.Held.allCases.map { HoldWord(word: $0.rawValue, hold: .locked, held: $0) }
}
