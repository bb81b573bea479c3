/// An option of a command, with a typed value.
///
/// A command lists its options in an ``OptionList``, and reads their values from the ``Given`` command line:
///
///     struct Options: OptionList {
///         let show = Option("--show", says: "show it on a terminal")
///         let format = Option<Format?>("--format", value: "FORMAT", says: "table or json")
///     }
///
///     given[\.show]    // a Bool
///     given[\.format]  // a Format?
package struct Option<Value: Sendable>: Sendable {
    /// The names and words of the option, for help, completion and the manual.
    package let facts: OptionFacts
    /// Parses every value that was typed for the option; nil if the option was not typed.
    let understand: @Sendable ([RawText]?) throws(UsageError) -> Value

    private init(_ facts: OptionFacts, _ understand: @escaping @Sendable ([RawText]?) throws(UsageError) -> Value) {
        self.facts = facts
        self.understand = understand
    }

    /// Parses the values like `understand`, for code that handles options of any type.
    @Sendable func understandErased(_ typed: [RawText]?) throws(UsageError) -> any Sendable {
        UnderstoodValue(value: try understand(typed))
    }

    private init<One: Sendable>(
        lastOf facts: OptionFacts, _ read: @escaping @Sendable (String) throws(UsageError) -> One
    ) where Value == One? {
        self.init(facts) { (typed) throws(UsageError) -> One? in
            guard let word = typed?.last else { return nil }
            return try read(word.text)
        }
    }
}

/// The names and words of an option, for help, completion and the manual.
package struct OptionFacts: Sendable {
    /// The spellings, the long form first: `--format`.
    package let names: [String]
    /// The placeholder of its value, such as `FORMAT`; nil for an option without a value.
    package var value: String?
    /// A phrase on its effect, for the help.
    package let says: String
    /// The values that completion offers.
    package var values = Values.anything
    /// True if the option may be given several times.
    package var isRepeated = false
    /// True if the value may hold bytes that are not UTF-8.
    package var takesAnyBytes = false

    /// The long form.
    package var name: String { names[0] }
}

extension Option where Value == Bool {
    /// Creates an option without a value, which is true if it was typed.
    package init(_ names: String..., says: String) {
        self.init(OptionFacts(names: names, says: says)) { (typed) throws(UsageError) in typed != nil }
    }
}

extension Option {
    /// Creates an option with one value, which `read` parses. If `read` throws, the command does not run.
    package init<One: Sendable>(
        _ names: String..., value: String, says: String, values: Values = .anything,
        read: @escaping @Sendable (String) throws(UsageError) -> One
    ) where Value == One? {
        self.init(lastOf: OptionFacts(names: names, value: value, says: says, values: values), read)
    }

    /// Creates an option whose value is one of the `known` words. Messages call such a word a `kind`.
    package init<One: Sendable>(
        _ names: String..., value: String, kind: String? = nil, says: String, values: Values? = nil,
        among known: [(String, One)]
    ) where Value == One? {
        let choice = Choice(known, kind ?? value.lowercased())
        self.init(
            lastOf: OptionFacts(names: names, value: value, says: says, values: values ?? choice.values), choice.read)
    }

    /// Creates an option that may be repeated, each time with one of the `known` words.
    package init<One: Sendable>(
        each name: String, value: String, says: String, values: Values? = nil, among known: [(String, One)]
    ) where Value == [One] {
        let choice = Choice(known, value.lowercased())
        let facts = OptionFacts(
            names: [name], value: value, says: says, values: values ?? choice.values, isRepeated: true)
        self.init(facts) { (typed) throws(UsageError) -> [One] in
            var all: [One] = []
            for word in typed ?? [] { all.append(try choice.read(word.text)) }
            return all
        }
    }

    /// Creates an option whose value is a case of an enumeration, by its raw value.
    package init<One: RawRepresentable & CaseIterable & Sendable>(_ names: String..., value: String, says: String)
    where Value == One?, One.RawValue == String {
        let choice = Choice(One.allCases.map { ($0.rawValue, $0) }, value.lowercased())
        self.init(lastOf: OptionFacts(names: names, value: value, says: says, values: choice.values), choice.read)
    }
}

extension Option where Value == String? {
    /// Creates an option whose value is any text. If completion offers folders for it, it is the text of a path, in any bytes.
    package init(_ names: String..., value: String, says: String, values: Values = .anything) {
        let isPath = if case .folder = values { true } else { false }
        let facts = OptionFacts(names: names, value: value, says: says, values: values, takesAnyBytes: isPath)
        self.init(facts) { (typed) throws(UsageError) in
            isPath ? typed?.last?.pathText : typed?.last?.text
        }
    }
}

extension Option where Value == [String] {
    /// Creates an option that may be repeated, each time with any text.
    package init(each names: String..., value: String, says: String, values: Values = .anything) {
        self.init(OptionFacts(names: names, value: value, says: says, values: values, isRepeated: true)) {
            (typed) throws(UsageError) in (typed ?? []).map(\.text)
        }
    }
}

extension Option where Value == RawText? {
    /// Creates an option that takes the path of a file, in any bytes.
    package init(path names: String..., says: String) {
        self.init(OptionFacts(names: names, value: "FILE", says: says, values: .file, takesAnyBytes: true)) {
            (typed) throws(UsageError) in typed?.last
        }
    }
}

extension Option where Value == [RawText] {
    /// Creates an option that may be repeated, each time with the path of a file, in any bytes.
    package init(eachPath names: String..., says: String) {
        let facts = OptionFacts(
            names: names, value: "FILE", says: says, values: .file, isRepeated: true, takesAnyBytes: true)
        self.init(facts) { (typed) throws(UsageError) in typed ?? [] }
    }
}

/// A choice of one word among known ones, each with its meaning.
package struct Choice<One: Sendable>: Sendable {
    private let known: [(String, One)]
    private let kind: String

    /// Creates a choice among `known` words. Messages call such a word a `kind`.
    package init(_ known: [(String, One)], _ kind: String) {
        self.known = known
        self.kind = kind
    }

    /// The words, for completion.
    package var values: Values { .words(known.map { $0.0 }) }

    /// Returns the meaning of `word`.
    ///
    /// - Throws: A ``UsageError`` that names the nearest words if `word` is none of them.
    package func read(_ word: String) throws(UsageError) -> One {
        guard let one = known.first(where: { $0.0 == word })?.1 else {
            throw UsageError(unknown: kind, word, among: known.map { $0.0 })
        }
        return one
    }
}
