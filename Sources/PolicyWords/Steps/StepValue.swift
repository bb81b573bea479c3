/// The value beside the word of a step, whichever format it is written in.
package enum StepValue: Equatable, Sendable {
    case nothing
    case text(String)
    case texts([String])
    /// A mapping of keys to texts.
    case fields([Field])

    /// A key of a mapping, with its value.
    package struct Field: Equatable, Sendable {
        package let key: String
        package let text: String

        package init(_ key: String, _ text: String) {
            self.key = key
            self.text = text
        }
    }
}

/// The form of that value. Shapes, schemas and readers of other formats follow from it.
package enum StepForm: Sendable {
    case nothing
    case duration
    /// A passcode.
    case passcode
    /// The name of a finger or a face, or a list of names.
    case fingers
    /// The name of an app.
    case app
    /// The name of a person.
    case person
    /// One of these words; `called` is the noun for their kind. A missing word is the first, unless there is a message for it.
    case word(called: String, [String], ifMissing: String?)
    /// Nothing, or a mapping with one of these keys; `called` is the noun for the mapping.
    case oneOf(called: String, [Key])

    /// A key of a mapping, with its meaning.
    package struct Key: Sendable {
        package let name: String
        package let says: String
    }

    /// True if the word of the step can stand alone.
    package var acceptsNothing: Bool {
        switch self {
        case .nothing, .oneOf: true
        case .duration, .passcode, .fingers, .app, .person, .word: false
        }
    }
}

/// The reason why a step cannot have a value.
package struct StepError: Error, Equatable {
    package let message: String

    init(_ message: String) { self.message = message }
}
