/// A word of a command line that is no option.
package struct Operand: Sendable {
    /// The word for it in the usage, such as `NAME`.
    package let name: String
    /// A sentence on its meaning; empty if the text of the command tells it.
    package let says: String
    /// The words that completion offers.
    package let values: Values
    /// True if it may be left out.
    package let isOptional: Bool
    /// True if there may be several; only the last can be so.
    package let isRepeated: Bool
    /// True if it and everything after it is taken as it is, options too: a command line.
    package let isCommandLine: Bool
    /// True if it may have bytes that are not UTF-8. A command line always may.
    package let takesAnyBytes: Bool
    /// The complaint if it is missing, instead of one with its name.
    package let ifMissing: String?
    /// The complaint if one word too many comes after it.
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
