internal import AccessPolicy

extension Fidelity: Stored {
    /// The number of a choice that the bytes of a vault leave out. The choice with this number is what vaults from before did,
    /// whatever a new device does today.
    private static let absent: UInt8 = 0
    /// How many choices the first format kept.
    private static let first = 13
    /// How many the second kept. At least as many are always written, so that its vaults keep their bytes.
    private static let second = 16

    /// Keeps every choice up to the last that is not what its absence means.
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

/// Collects the number of every choice.
private struct ChoiceWriter: FieldCoder {
    private(set) var numbers: [UInt8] = []

    mutating func choice<Choice: NamedChoice>(_: StaticString, _ value: inout Choice, says: StaticString) {
        numbers.append(value.rawValue)
    }
}

/// Makes every choice by its number.
private struct ChoiceReader: FieldCoder {
    private var numbers: ArraySlice<UInt8>
    /// True if there was a choice for every number.
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
