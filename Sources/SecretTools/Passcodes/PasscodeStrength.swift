package import SodiumKit

/// An upper bound for the strength of a passcode.
///
/// It counts the passcodes that are no longer than this one, with the same kinds of characters: small letters, capital letters,
/// digits, other ASCII characters, and characters beyond ASCII. An attacker finds a word, a name or a pattern much sooner;
/// nothing here looks for one.
package struct PasscodeStrength: Sendable {
    /// The time in seconds that one machine must need to try all guesses, so that there is no warning.
    package static let enough = 1000 * year
    private static let year = 365.25 * 86400
    /// A number of guesses that is always enough, however fast they are tried.
    private static let enoughGuesses = 1e18

    /// The thing that a passcode protects.
    package enum Use: Sendable {
        /// A vault, which the passcode opens.
        case vault
        /// A backup, which its passphrase opens.
        case backup
        /// The passphrase of a file that contains a whole vault.
        case transfer
    }

    /// The number of passcodes of these kinds and this length or less.
    package let guesses: Double

    /// Creates the bound for a passcode, from its length and its kinds of characters.
    package init(_ passcode: borrowing SecureBytes) {
        let (count, kinds) = passcode.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                let kinds: [(size: Double, isPresent: Bool)] = [
                    (26, bytes.contains { 0x61...0x7A ~= $0 }), (26, bytes.contains { 0x41...0x5A ~= $0 }),
                    (10, bytes.contains { 0x30...0x39 ~= $0 }), (128, bytes.contains { $0 >= 0x80 }),
                    (33, bytes.contains { $0 < 0x80 && !(0x30...0x39 ~= $0) && !(0x61...0x7A ~= $0 | 0x20) }),
                ]
                return (bytes.count, kinds.reduce(0) { $0 + ($1.isPresent ? $1.size : 0) })
            }
        }
        var guesses = 0.0
        for _ in 0..<count where guesses < Self.enoughGuesses { guesses = (guesses + 1) * kinds }
        self.guesses = guesses
    }

    /// Returns a warning if a machine like this one could try all guesses within ``enough``. Times one guess to find out.
    package func warning(_ cost: StretchCost, of use: Use = .vault) -> String? {
        if guesses >= Self.enoughGuesses { return nil }
        // If this machine has no memory for a guess, assume a slow one.
        return warning(secondsPerGuess: (try? Self.measure(cost)) ?? 1, of: use)
    }

    private static func measure(_ cost: StretchCost) throws(SodiumError) -> Double {
        let example = try SecureBytes("a passcode")
        let salt = [UInt8](repeating: 0, count: StretchCost.saltCount)
        let start = ContinuousClock.now
        _ = try cost.stretch(example, salt: salt)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Returns a warning if a machine that takes this long for one guess could try all within ``enough``.
    package func warning(secondsPerGuess: Double, of use: Use = .vault) -> String? {
        let seconds = guesses * secondsPerGuess
        if seconds >= Self.enough { return nil }
        let (name, copied, remedy) =
            switch use {
            case .vault: ("passcode", "the vault's files", "Set a longer one with `latchkey passwd`")
            case .backup: ("passphrase", "the backup", "Delete the backup, and make another with a longer passphrase")
            case .transfer: ("passphrase", "the file", "Delete the file, and write another with a longer passphrase")
            }
        return
            "this \(name) is easy to guess: at most \(Self.words(guesses)) \(name)s are as short and use the same kinds of characters. With a "
            + "copy of \(copied), a machine like this one tries all of them in at most \(Self.duration(seconds)). \(remedy)"
    }

    private static func words(_ number: Double) -> String {
        for (size, word) in [(1e15, "quadrillion"), (1e12, "trillion"), (1e9, "billion")] {
            if number >= size { return "\(Int((number / size).rounded(.up))) \(word)" }
        }
        if number >= 1e6 { return "\(Int((number / 1e6).rounded(.up))) million" }
        let (thousands, rest) = Int(number).quotientAndRemainder(dividingBy: 1000)
        if thousands == 0 { return "\(rest)" }
        return "\(thousands),\(String(repeating: "0", count: 3 - "\(rest)".count))\(rest)"
    }

    private static func duration(_ seconds: Double) -> String {
        let units = [
            (year, "year"), (86400.0, "day"), (3600, "hour"), (60, "minute"), (1, "second"),
        ]
        let (size, word) = units.first { seconds > $0.0 } ?? (1, "second")
        let count = Int((seconds / size).rounded(.up))
        return "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
