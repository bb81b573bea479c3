/// What was understood of a command line.
package struct Given: Sendable {
    /// The values of the options that have one, by their long form, as the system has them.
    package var rawValues: [String: [RawText]] = [:]
    /// The options that stand alone, by their long form.
    package var set: Set<String> = []
    /// The words that are no options, as the system has them.
    package var rawWords: [RawText] = []

    /// The words that are no options.
    package var words: [String] { rawWords.map(\.text) }

    /// The values of the options that have one, by their long form.
    package var values: [String: [String]] { rawValues.mapValues { $0.map(\.text) } }

    /// The value of an option that is given once at most.
    package subscript(option: String) -> String? { rawValues[option]?.last?.text }

    /// Returns true if an option that stands alone is given.
    package func has(_ option: String) -> Bool { set.contains(option) }
}
