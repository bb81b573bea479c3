internal import PolicyProver

/// A word for how a device comes to an attacker of a file.
struct HoldWord {
    let word: String
    let hold: Hold
    /// How long ago it was locked, if the word says so.
    let held: Assumptions.Held?

    /// Every hold by its own word, and what can be assumed of a locked device.
    static let all =
        Hold.allCases.map { HoldWord(word: $0.name, hold: $0, held: nil) }
        + Assumptions.Held.allCases.map { HoldWord(word: $0.rawValue, hold: .locked, held: $0) }
}
