internal import Glibc
package import SodiumKit

/// Makes secrets of libsodium's random numbers, of which each outcome is equally likely, and says how many bits of chance are in
/// them.
package struct Generator: Hashable, Sendable {
    /// How a secret is made.
    package enum Recipe: Hashable, Sendable {
        /// So many characters of these classes, each of which occurs.
        case characters(Int, CharacterClasses)
        /// So many words that can be spoken, with hyphens between them. They have no meaning: a list of real words would have to
        /// be somebody's, and these have as many bits by the letter as short real ones.
        case words(Int)
        /// So many random bytes in hexadecimal digits.
        case hexadecimal(Int)
        /// So many random bytes in base64.
        case base64(Int)
    }

    private let recipe: Recipe

    /// The most characters, words or bytes.
    package static let longest = 1024

    /// One that follows this recipe, unless nothing can be made by it.
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

    /// The binary logarithm of how many outcomes there are, each equally likely.
    package var entropy: Double {
        switch recipe {
        case .characters(let count, let classes): classes.entropy(count)
        case .words(let count): Double(count) * Words.entropy
        case .hexadecimal(let count), .base64(let count): Double(8 * count)
        }
    }

    /// A new secret.
    package func make() throws(SodiumError) -> SecureBytes {
        try Sodium.start()
        switch recipe {
        case .characters(let count, let classes): return try characters(count, classes)
        case .words(let count): return try Words.make(count)
        case .hexadecimal(let count): return try random(count).hexadecimal()
        case .base64(let count): return try random(count).base64(.standard)
        }
    }

    private func random(_ count: Int) throws(SodiumError) -> SecureBytes {
        var bytes = try SecureBytes(count: count)
        bytes.withMutableBytes { Sodium.fillRandomly($0) }
        return bytes
    }

    /// Draws the whole anew until every class is there: what remains is as likely as each other. Setting places aside for classes
    /// would prefer some.
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

/// Which characters a password consists of.
package struct CharacterClasses: OptionSet, Hashable, Sendable {
    /// The classes as bits.
    package let rawValue: UInt8

    /// The classes with these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `a` to `z`.
    package static let lower = CharacterClasses(rawValue: 1)
    /// `A` to `Z`.
    package static let upper = CharacterClasses(rawValue: 2)
    /// `0` to `9`.
    package static let digits = CharacterClasses(rawValue: 4)
    /// The signs of ASCII, without the space.
    package static let symbols = CharacterClasses(rawValue: 8)
    /// Not a class: leaves out what is easily taken for something else, such as `l`, `1` and `I`.
    package static let noAmbiguous = CharacterClasses(rawValue: 16)

    /// All four.
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

    /// The binary logarithm of how many texts of this length have a character of every class: all texts, less those without some
    /// class, and those without two of them back again, and so on.
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

/// Words of a consonant, a vowel, a consonant, a vowel and a consonant.
private enum Words {
    /// Those that are told apart on the telephone in most languages.
    static let consonants = Array("bdfghjklmnprstvz".utf8)
    static let vowels = Array("aeiou".utf8)
    private static let pattern = [consonants, vowels, consonants, vowels, consonants]

    static var entropy: Double { pattern.reduce(0) { $0 + log2(Double($1.count)) } }

    static func make(_ count: Int) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: count * (pattern.count + 1))
        for word in 0..<count {
            if word > 0 { try text.append(UInt8(ascii: "-")) }
            for letters in pattern { try text.append(letters[Sodium.uniform(below: letters.count)]) }
        }
        return try text.bytes()
    }
}

/// Why nothing can be generated.
package enum GeneratorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No class of characters is chosen.
    case noClass
    /// So many are too few or too many.
    case count(Int, fewest: Int, most: Int)

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .noClass: "no characters are left to choose from: allow letters, digits or symbols"
        case .count(let count, let fewest, let most):
            "a length of \(count) cannot be had: choose one from \(fewest) to \(most)"
        }
    }
}
