package import SodiumKit

/// The secrets that a ``Masker`` looks for, in all the forms in which programs write them.
package struct MaskedWords: ~Copyable, Sendable {
    /// The length of the shortest secret that is concealed, in bytes. A shorter one occurs in ordinary output: concealing it
    /// would destroy that output, and the gaps would reveal the secret.
    package static let fewest = 4
    /// The length of the shortest line that is concealed by itself.
    package static let fewestOfLine = 8

    // There is a tree for each way to read a stream.
    private var plain: WordTree
    private var quoted: WordTree
    private var base64: WordTree
    private var hexadecimal: WordTree

    package init() throws(SodiumError) {
        // Create all trees before assigning any: a value whose parts own memory must not be half initialized.
        let first = try WordTree()
        let second = try WordTree()
        let third = try WordTree()
        let fourth = try WordTree()
        plain = first
        quoted = second
        base64 = third
        hexadecimal = fourth
    }

    /// Adds a secret in all its forms: as it is, line by line, quoted and encoded. Returns false if it is too short to conceal;
    /// the caller then has to warn that it may show.
    package mutating func add(_ secret: borrowing SecureBytes) throws(SodiumError) -> Bool {
        let forms = try MaskedForms(secret)
        guard forms.isLongEnough else { return false }
        try forms.forEach { (reading, word) throws(SodiumError) in
            // A form without its gaps may be shorter than the secret. One that is too short would be found everywhere.
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

    /// Returns the lanes of a masker that looks for the words, and leaves no words here.
    mutating func lanes() throws(SodiumError) -> Lanes {
        Lanes(
            plain: try MaskingLane(.plain, exchange(&plain, with: try WordTree())),
            quoted: try MaskingLane(.quoted, exchange(&quoted, with: try WordTree())),
            base64: try MaskingLane(.base64, exchange(&base64, with: try WordTree())),
            hexadecimal: try MaskingLane(.hexadecimal, exchange(&hexadecimal, with: try WordTree())))
    }
}
