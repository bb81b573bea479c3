/// A word of a command line that is not an option.
package struct Operand: Sendable {
    /// The placeholder in the usage line, such as `NAME`.
    package let name: String
    /// A phrase that explains it; empty if the text of the command does.
    package let says: String
    /// The words that completion offers.
    package let values: Values
    /// True if it may be left out.
    package let isOptional: Bool
    /// True if it may be repeated. Only the last operand can be.
    package let isRepeated: Bool
    /// True if it begins a command line: it and every word after it are taken as they are, options too.
    package let isCommandLine: Bool
    /// True if it may hold bytes that are not UTF-8. A command line always may.
    package let takesAnyBytes: Bool
    /// The message if it is missing; nil for one that names it.
    package let ifMissing: String?
    /// The message if a word too many follows it; nil for one that names that word.
    package let ifMore: String?

    package init(
        name: String, says: String = "", values: Values = .anything, isOptional: Bool = false, isRepeated: Bool = false,
        isCommandLine: Bool = false, takesAnyBytes: Bool = false, ifMissing: String? = nil, ifMore: String? = nil
    ) {
        self.name = name
        self.says = says
        self.values = values
        self.isOptional = isOptional
        self.isRepeated = isRepeated
        self.isCommandLine = isCommandLine
        self.takesAnyBytes = takesAnyBytes || isCommandLine
        self.ifMissing = ifMissing
        self.ifMore = ifMore
    }
}
