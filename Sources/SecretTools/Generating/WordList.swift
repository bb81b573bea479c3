internal import Glibc

/// The large word list of the Electronic Frontier Foundation (2016, CC BY 3.0): 7776 English words that are easy to type and to
/// remember, none of which begins another. Five dice choose one of them, and so does a random number.
enum WordList {
    /// The words in UTF-8, one a line.
    static let text = PackageResources.eff_large_words_txt

    /// The place of each word in the text.
    static let ranges: [Range<Int>] = {
        var ranges: [Range<Int>] = []
        var start = 0
        for (place, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
            ranges.append(start..<place)
            start = place + 1
        }
        return ranges
    }()

    /// The length of the longest word.
    static let longest = ranges.map(\.count).max() ?? 0

    /// The entropy of one word in bits.
    static var entropy: Double { log2(Double(ranges.count)) }
}
