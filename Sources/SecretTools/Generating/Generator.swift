internal import Glibc
package import SodiumKit

/// A generator of random secrets, with the random numbers of libsodium. Every outcome of a recipe is equally likely.
package struct Generator: Hashable, Sendable {
    /// A recipe for a secret.
    package enum Recipe: Hashable, Sendable {
        /// A number of characters. Each of these classes occurs.
        case characters(Int, CharacterClasses)
        /// A number of words of the EFF's large list, with hyphens between them.
        case words(Int)
        /// A number of random bytes in hexadecimal.
        case hexadecimal(Int)
        /// A number of random bytes in base64.
        case base64(Int)
    }

    private let recipe: Recipe

    /// The greatest number of characters, words or bytes.
    package static let longest = 1024

    /// Creates a generator for this recipe.
    ///
    /// - Throws: `GeneratorError` if the recipe has no characters to choose from, or too small or too large a number.
    package init(_ recipe: Recipe) throws(GeneratorError) {
        let (count, fewest) =
            switch recipe {
            case .characters(let count, let classes): (count, max(1, classes.count))
            case .words(let count), .hexadecimal(let count), .base64(let count): (count, 1)
            }
        if case .characters(_, let classes) = recipe, classes.alphabets.isEmpty { throw .noClass }
        guard (fewest...Self.longest).contains(count) else { throw .count(count, fewest: fewest, most: Self.longest) }
        self.recipe = recipe
    }

    /// The entropy of a secret in bits: the binary logarithm of the number of outcomes.
    package var entropy: Double {
        switch recipe {
        case .characters(let count, let classes): classes.entropy(count)
        case .words(let count): Double(count) * WordList.entropy
        case .hexadecimal(let count), .base64(let count): Double(8 * count)
        }
    }

    /// Returns a new secret in wiped memory. Throws if libsodium or guarded memory is not available.
    package func make() throws(SodiumError) -> SecureBytes {
        try Sodium.start()
        switch recipe {
        case .characters(let count, let classes): return try characters(count, classes)
        case .words(let count): return try words(count)
        case .hexadecimal(let count): return try random(count).hexadecimal()
        case .base64(let count): return try random(count).base64(.standard)
        }
    }

    private func random(_ count: Int) throws(SodiumError) -> SecureBytes {
        var bytes = try SecureBytes(count: count)
        bytes.withMutableBytes { Sodium.fillRandomly($0) }
        return bytes
    }

    private func words(_ count: Int) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: count * (WordList.longest + 1))
        for place in 0..<count {
            if place > 0 { try text.append(UInt8(ascii: "-")) }
            let word = WordList.ranges[Sodium.uniform(below: WordList.ranges.count)]
            for byte in WordList.text[word] { try text.append(byte) }
        }
        return try text.bytes()
    }

    /// Returns random characters with every class among them. It draws all of them again until that is so, because reserving
    /// places for classes would make some outcomes more likely than others.
    private func characters(_ count: Int, _ classes: CharacterClasses) throws(SodiumError) -> SecureBytes {
        let alphabets = classes.alphabets
        let all = alphabets.flatMap { $0 }
        var secret = try SecureBytes(count: count)
        var hasAll = false
        while !hasAll {
            secret.withMutableBytes { bytes in
                for place in bytes.indices { bytes[place] = all[Sodium.uniform(below: all.count)] }
                hasAll = alphabets.allSatisfy { alphabet in bytes.contains { alphabet.contains($0) } }
            }
        }
        return secret
    }
}

/// The classes of characters in a password.
package struct CharacterClasses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The letters `a` to `z`.
    package static let lower = CharacterClasses(rawValue: 1)
    /// The letters `A` to `Z`.
    package static let upper = CharacterClasses(rawValue: 2)
    /// The digits `0` to `9`.
    package static let digits = CharacterClasses(rawValue: 4)
    /// The other visible characters of ASCII.
    package static let symbols = CharacterClasses(rawValue: 8)
    /// An option that leaves out characters that look alike, such as `l`, `1` and `I`. It is not a class.
    package static let noAmbiguous = CharacterClasses(rawValue: 16)

    package static let all: CharacterClasses = [.lower, .upper, .digits, .symbols]

    private static let ambiguous = Set("Il1|O0o5S2Z8B`'\".,:;".utf8)

    var count: Int { intersection(.all).rawValue.nonzeroBitCount }

    /// The characters of each class.
    package var alphabets: [[UInt8]] {
        let signs = (UInt8(0x21)...0x7E).filter { !(0x30...0x39 ~= $0) && !(0x41...0x5A ~= $0) && !(0x61...0x7A ~= $0) }
        let known: [(CharacterClasses, [UInt8])] = [
            (.lower, Array(0x61...0x7A)), (.upper, Array(0x41...0x5A)), (.digits, Array(0x30...0x39)),
            (.symbols, signs),
        ]
        return known.filter { contains($0.0) }.map { _, alphabet in
            contains(.noAmbiguous) ? alphabet.filter { !Self.ambiguous.contains($0) } : alphabet
        }
    }

    /// Returns the binary logarithm of the number of texts of this length with a character of every class, by inclusion and
    /// exclusion: all texts, minus those without some class, plus those without some two, and so on.
    func entropy(_ count: Int) -> Double {
        let sizes = alphabets.map { Double($0.count) }
        let total = sizes.reduce(0, +)
        var share = 0.0
        for missing in 0..<(1 << sizes.count) {
            let left = sizes.indices.reduce(total) { missing >> $1 & 1 == 1 ? $0 - sizes[$1] : $0 }
            share += (missing.nonzeroBitCount % 2 == 0 ? 1 : -1) * pow(left / total, Double(count))
        }
        return Double(count) * log2(total) + log2(share)
    }
}

/// An error in a recipe.
package enum GeneratorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The recipe has no class of characters.
    case noClass
    /// The number is too small or too large.
    case count(Int, fewest: Int, most: Int)

    /// The mistake, and how to correct it.
    package var description: String {
        switch self {
        case .noClass: "no characters to choose from: allow lower, upper, digits or symbols"
        case .count(let count, let fewest, let most):
            "a length of \(count) is not possible: choose one from \(fewest) to \(most)"
        }
    }
}
