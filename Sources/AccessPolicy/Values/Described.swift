/// Reads fields, writes them, or only looks at them: one list of the fields serves all of it.
package protocol FieldCoder {
    /// The error of reading; `Never` for a coder that does not read.
    associatedtype Failure: Error
    /// Codes a choice. `says` is what the documentation says of the field.
    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString, _ value: inout Choice, says: StaticString
    ) throws(Failure)
}

/// A value whose stored properties are listed once, in the order in which they are stored.
package protocol Described {
    /// Hands every property to `coder`.
    mutating func describe<Coder: FieldCoder>(to coder: inout Coder) throws(Coder.Failure)
}

/// The fields of a value by name: for tests, for scenario files and for the documentation.
package struct FieldNames: FieldCoder {
    /// One field.
    package struct Field: Sendable {
        /// The name of the property.
        package let name: String
        /// Its sentence in the documentation.
        package let says: String
        /// Its possible values, by name and number.
        package let choices: [(name: String, number: UInt8)]
        /// The name of what it is.
        package let choice: String
    }

    /// The fields, in order.
    package private(set) var all: [Field] = []

    /// Collects the fields of `value`.
    package init(of value: some Described) {
        var value = value
        value.describe(to: &self)
    }

    /// Notes the field.
    package mutating func choice<Choice: NamedChoice>(
        _ name: StaticString, _ value: inout Choice, says: StaticString
    ) {
        all.append(
            Field(
                name: name.description, says: says.description,
                choices: Choice.allCases.map { ($0.name, $0.rawValue) }, choice: value.name))
    }
}

/// Makes one choice by name, and no other.
package struct FieldSetter: FieldCoder {
    private let field: String
    private let word: String

    /// Prepares the choice of `word` for `field`.
    package init(_ field: String, to word: String) {
        self.field = field
        self.word = word
    }

    /// Makes the choice if it is the one that is meant.
    package mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, says: StaticString) {
        guard name.description == field, let found = Choice(name: word) else { return }
        value = found
    }
}
