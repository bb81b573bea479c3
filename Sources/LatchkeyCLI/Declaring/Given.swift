/// What was understood of a command line.
package struct Given: Sendable {
    /// The values of the options that have one, by their long form.
    package var values: [String: [String]] = [:]
    /// The options that stand alone, by their long form.
    package var set: Set<String> = []
    /// The words that are no options.
    package var words: [String] = []

    /// The value of an option that is given once at most.
    package subscript(option: String) -> String? { values[option]?.last }

    /// Whether an option that stands alone is given.
    package func has(_ option: String) -> Bool { set.contains(option) }
}
