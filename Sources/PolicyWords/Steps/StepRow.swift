internal import AccessPolicy
internal import PlainText

/// One word that a step can begin with.
package struct StepRow: Sendable {
    package let word: String
    package let form: StepForm
    /// True if a person can do it, so that `by` fits.
    package let takesPerson: Bool
    /// The meaning for help, such as `locks the device`.
    package let says: String
    /// The step as an instruction, such as `enroll $`. The dollar sign stands for the value.
    package let imperative: String
    /// Returns the event of a value that has the form.
    private let make: @Sendable (StepValue) -> StepEvent
    /// Returns the value of an event; nil if the event belongs to another row.
    package let write: @Sendable (StepEvent) -> StepValue?

    /// Creates a row. Its functions capture nothing: those of the table would otherwise take twice the room in the engine of the page.
    init(
        _ word: String, _ form: StepForm, takesPerson: Bool = true, says: String, imperative: String,
        make: @escaping @Sendable (StepValue) -> StepEvent, write: @escaping @Sendable (StepEvent) -> StepValue?
    ) {
        (self.word, self.form, self.takesPerson) = (word, form, takesPerson)
        (self.says, self.imperative) = (says, imperative)
        (self.make, self.write) = (make, write)
    }

    /// Returns the event of a value. Throws if the value does not have the form of the row.
    package func read(_ value: StepValue) throws(StepError) -> StepEvent {
        switch form {
        case .nothing: guard case .nothing = value else { throw StepError("\(word) takes no value") }
        case .passcode, .app, .person: _ = try text(value)
        case .duration:
            let text = try text(value)
            if TimeSpan(written: text) == nil {
                throw StepError("\(word) needs a duration such as 30s or 5m, not \"\(Terminal.word(text))\"")
            }
        case .word(let kind, let words, let ifMissing):
            if case .nothing = value {
                if let ifMissing { throw StepError(ifMissing) }
                return make(.text(words[0]))
            }
            let text = try text(value)
            if !words.contains(text) { throw StepError(unknownWord(kind, text, among: words)) }
        case .fingers:
            switch value {
            case .text, .texts: break
            case .nothing, .fields: throw StepError(needsFingers)
            }
        case .oneOf(let noun, let keys):
            switch value {
            case .nothing: break
            case .fields(let fields)
            where fields.count <= 1 && fields.allSatisfy { field in keys.contains { $0.name == field.key } }:
                break
            case .text, .texts, .fields:
                throw StepError("\(noun) takes one of \(enumerated(keys.map { $0.name }, "and"))")
            }
        }
        return make(value)
    }

    private func text(_ value: StepValue) throws(StepError) -> String {
        if case .text(let text) = value { return text }
        throw StepError("\(word) takes one word")
    }

    /// The message about a step that lacks the names of fingers.
    package var needsFingers: String { "\(word) takes the name of a finger or a face, or a list of them" }
}

extension StepEvent {
    /// The event as it is written: its row and its value.
    package var written: (row: StepRow, value: StepValue) {
        for row in Steps.all {
            if let value = row.write(self) { return (row, value) }
        }
        preconditionFailure("every event has a row")
    }
}
