internal import AccessPolicy

extension Fidelity: Stored {
    /// Writes the number of every choice.
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        let all = numbers.count
        var kept = numbers
        try coder.bytes("choices", &kept)
        guard Coder.reads else { return }
        try coder.require(kept.count == all)
        var reader = ChoiceReader(kept)
        describe(to: &reader)
        try coder.require(reader.isSound)
    }

    private var numbers: [UInt8] {
        var copy = self
        var writer = ChoiceWriter()
        copy.describe(to: &writer)
        return writer.numbers
    }
}

/// Collects the number of each choice.
private struct ChoiceWriter: FieldCoder {
    private(set) var numbers: [UInt8] = []

    mutating func choice<Choice: NamedChoice>(_: StaticString, _ value: inout Choice, says: StaticString) {
        numbers.append(value.rawValue)
    }
}

/// Restores each choice from its number.
private struct ChoiceReader: FieldCoder {
    private var numbers: ArraySlice<UInt8>
    /// True if every number has named a choice.
    private(set) var isSound = true

    init(_ numbers: [UInt8]) { self.numbers = numbers[...] }

    mutating func choice<Choice: NamedChoice>(_: StaticString, _ value: inout Choice, says: StaticString) {
        guard let choice = numbers.popFirst().flatMap(Choice.init(rawValue:)) else {
            isSound = false
            return
        }
        value = choice
    }
}
