package import SodiumKit

/// What a ``Masker`` looks for: secrets, and the forms in which programs write them.
package struct MaskedWords: ~Copyable, Sendable {
    /// The fewest bytes that are concealed. What is shorter stands in ordinary output as well: concealing it would destroy that
    /// output, and show by the gaps what the secret is.
    package static let fewest = 4
    /// The fewest bytes of a line that is concealed by itself, and of a secret that is looked for inside other base64.
    package static let fewestOfLine = 8

    // A tree for each way in which a stream is read.
    private var plain: WordTree
    private var quoted: WordTree
    private var base64: WordTree
    private var hexadecimal: WordTree

    /// No words.
    package init() throws(SodiumError) {
        // All of them or none: a value whose parts own memory is not half made.
        let first = try WordTree()
        let second = try WordTree()
        let third = try WordTree()
        let fourth = try WordTree()
        plain = first
        quoted = second
        base64 = third
        hexadecimal = fourth
    }

    /// Adds a secret: as it is without line ends behind it, its lines, and as programs quote and encode it. False where it is too
    /// short, so that its owner has to be told that it will be shown.
    package mutating func add(_ secret: borrowing SecureBytes) throws(SodiumError) -> Bool {
        let forms = try MaskedForms(secret)
        guard forms.isLongEnough else { return false }
        try forms.forEach { (reading, word) throws(SodiumError) in
            // A word that is shorter without its gaps would be found everywhere.
            guard word.byteCount >= Self.fewest else { return }
            switch reading {
            case .plain: try plain.add(word)
            case .quoted: try quoted.add(word)
            case .base64: try base64.add(word)
            case .hexadecimal: try hexadecimal.add(word)
            }
        }
        return true
    }

    /// The lanes of a masker that looks for the words. None are left here.
    mutating func lanes() throws(SodiumError) -> Lanes {
        Lanes(
            plain: try MaskingLane(.plain, exchange(&plain, with: try WordTree())),
            quoted: try MaskingLane(.quoted, exchange(&quoted, with: try WordTree())),
            base64: try MaskingLane(.base64, exchange(&base64, with: try WordTree())),
            hexadecimal: try MaskingLane(.hexadecimal, exchange(&hexadecimal, with: try WordTree())))
    }
}
