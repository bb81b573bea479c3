/// A command line split into options and operands, before their values are parsed.
package struct TypedWords: Sendable {
    /// The values of each typed option, by its long form. An option without a value has an empty array.
    package internal(set) var options: [String: [RawText]] = [:]
    /// The words that are not options.
    package internal(set) var words: [RawText] = []
}

/// The parsed value of each option of a command, by its long form.
typealias UnderstoodValues = [String: any Sendable]

/// The parsed value of an option, with its type.
struct UnderstoodValue<Value: Sendable>: Sendable {
    let value: Value
}

/// A parsed command line. A command reads the values of its options by key path.
package struct Given<List: OptionList>: Sendable {
    package let program: Declaration
    private let list: List
    private let values: UnderstoodValues
    private let typed: TypedWords

    init(_ list: List, _ values: UnderstoodValues, _ typed: TypedWords, of program: Declaration) {
        self.program = program
        self.list = list
        self.values = values
        self.typed = typed
    }

    /// The words that are not options, as texts.
    package var words: [String] { typed.words.map(\.text) }

    /// The words that are not options, byte by byte.
    package var rawWords: [RawText] { typed.words }

    package subscript<Value>(option: KeyPath<List, Option<Value>>) -> Value { value(of: list[keyPath: option]) }

    /// The values of an array of options, in their order.
    package subscript<Value>(options: KeyPath<List, [Option<Value>]>) -> [Value] {
        list[keyPath: options].map { value(of: $0) }
    }

    /// This command line, seen by the options of each list of an array.
    package subscript<Part: OptionList>(parts: KeyPath<List, [Part]>) -> [Given<Part>] {
        list[keyPath: parts].map { Given<Part>($0, values, typed, of: program) }
    }

    /// This command line, seen by the options of an inner list.
    package subscript<Part: OptionList>(part: KeyPath<List, Part>) -> Given<Part> {
        Given<Part>(list[keyPath: part], values, typed, of: program)
    }

    private func value<Value>(of option: Option<Value>) -> Value {
        guard let understood = values[option.facts.name] as? UnderstoodValue<Value> else {
            preconditionFailure("\(option.facts.name) is read, and is no stored property of the command's options")
        }
        return understood.value
    }

    /// Returns the long form of the first of `options` that was typed; nil if none was.
    package func first(of options: [KeyPath<List, OptionFacts>]) -> String? {
        options.map { list[keyPath: $0].name }.first { typed.options[$0] != nil }
    }

    /// The long form of the first option of the list that was typed; nil if none was.
    package var firstOption: String? {
        OptionTable(list).groups.flatMap(\.options).map(\.name).first { typed.options[$0] != nil }
    }
}
