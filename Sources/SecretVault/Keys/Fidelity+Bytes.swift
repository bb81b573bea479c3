internal import AccessPolicy

extension Fidelity: Stored {
    /// The number of the choice that a vault's bytes may leave out. Vaults written before a setting existed behave as
    /// this choice says, even if new devices have another default.
    private static let absent: UInt8 = 0
    /// The number of choices in the first format.
    private static let first = 13
    /// The number of choices in the second format. The encoder always writes at least as many, so vaults of that format
    /// keep their bytes.
    private static let second = 16

    /// Writes every choice up to the last one that differs from `absent`.
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        let all = numbers.count
        var kept = numbers
        while kept.count > Self.second, kept.last == Self.absent { kept.removeLast() }
        try coder.bytes("choices", &kept)
        guard Coder.reads else { return }
        try coder.require(kept.count == Self.first || (Self.second...all).contains(kept.count))
        kept += [UInt8](repeating: Self.absent, count: max(0, all - kept.count))
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
