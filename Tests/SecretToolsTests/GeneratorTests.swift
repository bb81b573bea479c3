import Foundation
import SecretTools
import SodiumKit
import TestSupport
import Testing

/// Generated secrets, their distribution, and their entropy.
@Suite struct GeneratorTests {
    private static let choices = (1..<16).flatMap { bits in
        [CharacterClasses(rawValue: bits), CharacterClasses(rawValue: bits).union(.noAmbiguous)]
    }

    /// Returns the chi-squared value that is exceeded by chance about once in a million times (Wilson and Hilferty).
    private func limit(_ freedom: Double) -> Double {
        let part = 2 / (9 * freedom)
        let root = 1 - part + 4.75 * part.squareRoot()
        return freedom * root * root * root
    }

    private func expectEven(_ counts: [Int], _ comment: Comment) {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        let sum = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(sum < limit(Double(counts.count - 1)), comment)
    }

    @Test(arguments: choices) func everyClassIsThereAndNothingElse(classes: CharacterClasses) throws {
        let alphabets = classes.alphabets
        for count in [alphabets.count, alphabets.count + 1, 20] {
            let generator = try Generator(.characters(count, classes))
            for _ in 0..<200 {
                let password = try generator.make().array()
                #expect(password.count == count)
                for alphabet in alphabets { #expect(password.contains { alphabet.contains($0) }) }
                #expect(password.allSatisfy { byte in alphabets.contains { $0.contains(byte) } })
            }
        }
        if classes.contains(.noAmbiguous) { #expect(!alphabets.joined().contains { "0O1lI|".utf8.contains($0) }) }
    }

    /// Secrets of two characters, one of each class: every outcome is equally likely.
    @Test func outcomesAreEquallyLikely() throws {
        let generator = try Generator(.characters(2, [.digits, .lower]))
        var counts: [[UInt8]: Int] = [:]
        for _ in 0..<104_000 { counts[try generator.make().array(), default: 0] += 1 }
        #expect(counts.count == 520)
        expectEven(Array(counts.values), "pairs")
        #expect(abs(generator.entropy - 9.0224) < 0.0001)
    }

    @Test func charactersAreEquallyLikelyAtEveryPlace() throws {
        let generator = try Generator(.characters(6, .lower))
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 26), count: 6)
        for _ in 0..<104_000 {
            for (place, byte) in try generator.make().array().enumerated() { counts[place][Int(byte) - 97] += 1 }
        }
        for place in counts.indices { expectEven(counts[place], "place \(place)") }
    }

    /// Compares the entropy with a count of all outcomes.
    @Test func entropyIsTheLogarithmOfTheNumberOfOutcomes() throws {
        let classes: CharacterClasses = [.digits, .lower, .noAmbiguous]
        let alphabets = classes.alphabets
        let all = alphabets.flatMap { $0 }
        var count = 0
        for one in all {
            for two in all {
                for three in all
                where alphabets.allSatisfy({ $0.contains(one) || $0.contains(two) || $0.contains(three) }) {
                    count += 1
                }
            }
        }
        let entropy = try Generator(.characters(3, classes)).entropy
        var power = 1.0
        // This is two to the power of the entropy: whole bits by multiplication, and the rest by a series.
        for _ in 0..<Int(entropy) { power *= 2 }
        let rest = (entropy - Double(Int(entropy))) * 0.693147180559945
        var (term, sum) = (1.0, 1.0)
        for index in 1..<20 {
            term *= rest / Double(index)
            sum += term
        }
        #expect(abs(power * sum - Double(count)) < 0.001)
    }

    @Test func longPasswordsHaveAsManyBitsAsTheirCharacters() throws {
        #expect(abs(try Generator(.characters(1024, .all)).entropy - 1024 * 6.554588851677638) < 0.001)
        #expect(abs(try Generator(.characters(20, .lower)).entropy - 94.0088) < 0.0001)
        #expect(try Generator(.hexadecimal(32)).entropy == 256)
        #expect(try Generator(.base64(16)).entropy == 128)
        #expect(abs(try Generator(.words(6)).entropy - 77.549) < 0.001)
    }

    /// The words of the list, which no test reads from the code.
    private static let words = Result {
        let path = Repository.root.appending(path: "Sources/SecretTools/Generating/eff-large-words.txt")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// A choice by five dice needs 6^5 words. None begins another, so two choices never give the same text.
    @Test func theListHasAWordForEachThrowOfFiveDice() throws {
        let words = try Self.words.get()
        #expect(words.count == 7776 && Set(words).count == 7776)
        #expect(words.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)?/) != nil && (3...9).contains($0.count) })
        for (word, next) in zip(words, words.dropFirst()) {
            #expect(word < next && !next.hasPrefix(word), "\(word) \(next)")
        }
    }

    @Test func everyWordIsEquallyLikely() throws {
        let words = try Self.words.get()
        let generator = try Generator(.words(1))
        var counts = Dictionary(uniqueKeysWithValues: words.map { ($0, 0) })
        for _ in 0..<77_760 { counts[try generator.make().shown(), default: -1_000_000] += 1 }
        #expect(counts.count == words.count, "every word is of the list")
        expectEven(Array(counts.values), "words")
        let three = try Generator(.words(3)).make().shown()
        #expect(three.wholeMatch(of: /[a-z]+(-[a-z]+){2,5}/) != nil, "\(three)")
    }

    @Test func bytesAreWrittenOut() throws {
        let digits = try Generator(.hexadecimal(5)).make().shown()
        #expect(digits.count == 10 && digits.allSatisfy { "0123456789abcdef".contains($0) })
        let text = try Generator(.base64(5)).make().shown()
        #expect(text.count == 8 && text.hasSuffix("=") && !text.hasSuffix("=="))
        #expect(try Generator(.base64(5)).make().shown() != text)
    }

    @Test func whatCannotBeIsRefused() {
        for recipe: Generator.Recipe in [
            .characters(20, []), .characters(20, .noAmbiguous), .characters(0, .lower), .characters(3, .all),
            .characters(1025, .all), .words(0), .words(-1), .hexadecimal(0), .base64(100_000),
        ] {
            #expect(throws: GeneratorError.self) { try Generator(recipe) }
        }
    }
}
