/// An option of a command, with a value that has a type.
///
/// A command lists its options in an ``OptionList``, and reads them with their type through what was ``Given``:
///
///     struct Options: OptionList {
///         let show = Option("--show", says: "show it on a terminal")
///         let format = Option<Format?>("--format", value: "FORMAT", says: "table or json")
///     }
///
///     given[\.show]    // a Bool
///     given[\.format]  // a Format?
package struct Option<Value: Sendable>: Sendable {
    package let facts: OptionFacts
    /// Understands the values that were typed, all of them. Without any, the option was not typed.
    let understand: @Sendable ([RawText]?) throws(UsageError) -> Value

    private init(_ facts: OptionFacts, _ understand: @escaping @Sendable ([RawText]?) throws(UsageError) -> Value) {
        self.facts = facts
        self.understand = understand
    }

    /// Understands the values that were typed, for code that knows options of any type.
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

/// The facts of an option that help, completion and the manual tell.
package struct OptionFacts: Sendable {
    /// The spellings, the long form first: `--format`.
    package let names: [String]
    /// The word for its value, such as `FORMAT`; nil for an option that stands alone.
    package var value: String?
    /// A sentence on its effect.
    package let says: String
    /// The values that completion offers.
    package var values = Values.anything
    /// True if it may be given several times.
    package var isRepeated = false
    /// True if its value may have bytes that are not UTF-8.
    package var takesAnyBytes = false

    /// The long form.
    package var name: String { names[0] }
}

extension Option where Value == Bool {
    /// Creates an option that stands alone.
    package init(_ names: String..., says: String) {
        self.init(OptionFacts(names: names, says: says)) { (typed) throws(UsageError) in typed != nil }
    }
}

extension Option {
    /// Creates an option with one value, which `read` understands.
    package init<One: Sendable>(
        _ names: String..., value: String, says: String, values: Values = .anything,
        read: @escaping @Sendable (String) throws(UsageError) -> One
    ) where Value == One? {
        self.init(lastOf: OptionFacts(names: names, value: value, says: says, values: values), read)
    }

    /// Creates an option whose value is one of the `known` words. `kind` is what a complaint calls them: "no kind".
    package init<One: Sendable>(
        _ names: String..., value: String, kind: String? = nil, says: String, values: Values? = nil,
        among known: [(String, One)]
    ) where Value == One? {
        let choice = Choice(known, kind ?? value.lowercased())
        self.init(
            lastOf: OptionFacts(names: names, value: value, says: says, values: values ?? choice.values), choice.read)
    }

    /// Creates an option that may be given several times, each time with one of the `known` words.
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

    /// Creates an option whose value is one of the words of an enumeration.
    package init<One: RawRepresentable & CaseIterable & Sendable>(_ names: String..., value: String, says: String)
    where Value == One?, One.RawValue == String {
        let choice = Choice(One.allCases.map { ($0.rawValue, $0) }, value.lowercased())
        self.init(lastOf: OptionFacts(names: names, value: value, says: says, values: choice.values), choice.read)
    }
}

extension Option where Value == String? {
    /// Creates an option whose value is any text.
    package init(_ names: String..., value: String, says: String, values: Values = .anything) {
        self.init(OptionFacts(names: names, value: value, says: says, values: values)) {
            (typed) throws(UsageError) in typed?.last?.text
        }
    }
}

extension Option where Value == [String] {
    /// Creates an option with any text as its value, which may be given several times.
    package init(each names: String..., value: String, says: String, values: Values = .anything) {
        self.init(OptionFacts(names: names, value: value, says: says, values: values, isRepeated: true)) {
            (typed) throws(UsageError) in (typed ?? []).map(\.text)
        }
    }
}

extension Option where Value == RawText? {
    /// Creates an option that names a file, whose path may have any bytes.
    package init(path names: String..., says: String) {
        self.init(OptionFacts(names: names, value: "FILE", says: says, values: .file, takesAnyBytes: true)) {
            (typed) throws(UsageError) in typed?.last
        }
    }
}

extension Option where Value == [RawText] {
    /// Creates an option that names a file, whose path may have any bytes, and may be given several times.
    package init(eachPath names: String..., says: String) {
        let facts = OptionFacts(
            names: names, value: "FILE", says: says, values: .file, isRepeated: true, takesAnyBytes: true)
        self.init(facts) { (typed) throws(UsageError) in typed ?? [] }
    }
}

/// Words with a meaning, of which a value has to be one.
package struct Choice<One: Sendable>: Sendable {
    private let known: [(String, One)]
    private let kind: String

    /// Creates a choice among `known` words. `kind` is what a complaint calls them: "no kind".
    package init(_ known: [(String, One)], _ kind: String) {
        self.known = known
        self.kind = kind
    }

    /// All of them, for completion.
    package var values: Values { .words(known.map { $0.0 }) }

    /// Returns the meaning of `word`. Throws and names the nearest if it is none of them.
    package func read(_ word: String) throws(UsageError) -> One {
        guard let one = known.first(where: { $0.0 == word })?.1 else {
            throw UsageError(unknown: kind, word, among: known.map { $0.0 })
        }
        return one
    }
}
