internal import DeviceModel
package import PolicyProver

/// The assumptions behind an answer, and what it takes for granted of the device and the owner, in the words of files.
package struct Assumed: Sendable, CustomStringConvertible {
    /// One assumption or setting.
    package struct Field: Hashable, Sendable {
        /// The word before the colon.
        package let name: String
        /// The word after it.
        package let word: String
        /// True if the word is `true` or `false`.
        package let isTruth: Bool
        /// The assumption in words for a reader.
        package let meaning: AssumptionMeaning
    }

    private let assumptions: Assumptions
    private let device: MatrixDevice
    private let countsPrompts: Bool

    /// Creates a statement of `assumptions` about `device`. `countsPrompts` is true for a claim about the number of
    /// prompts.
    package init(_ assumptions: Assumptions, on device: MatrixDevice, countingPrompts countsPrompts: Bool = false) {
        self.assumptions = assumptions
        self.device = device
        self.countsPrompts = countsPrompts
    }

    /// The setting in the words of files. Reports state it only if it is on.
    static let theftProtection = Field(
        name: "stolenDeviceProtection", word: "true", isTruth: true,
        meaning: AssumptionMeaning(
            condition: "Stolen Device Protection is on",
            statement: "With Stolen Device Protection, away from familiar places, the settings ask for biometry too, "
                + "and some also for a delay."))

    /// The watch of a Mac does not unlock it, though it could. The model lacks Auto Unlock.
    fileprivate static let autoUnlock = Field(
        name: "autoUnlock", word: "off", isTruth: false,
        meaning: AssumptionMeaning(
            condition: "the watch does not unlock the Mac", statement: "The owner's watch does not unlock the Mac."))
    /// The first answer to every prompt is right: no match fails, and no person takes the fallback.
    fileprivate static let answers = Field(
        name: "answers", word: "right", isTruth: false,
        meaning: AssumptionMeaning(
            condition: "the first answer is right", statement: "The first answer to every prompt is right."))

    /// The account of a search, in which only the device at hand changes hands.
    fileprivate static let account = Field(
        name: "account", word: "two devices", isTruth: false,
        meaning: AssumptionMeaning(
            condition: "the account has two devices",
            statement:
                "The owner has another device in the account. It stays in the owner's hands, signed in, with a "
                + "network, and everything arrives there. The account's password stays as it is."))

    /// All assumptions, and those that only some devices and claims have.
    package var fields: [Field] { fields(Assumption.allCases) }

    /// Returns the assumptions that make a difference to a device that comes to the attacker in this way.
    package func fields(for hold: Hold) -> [Field] { fields(Assumption.allCases.filter { $0.applies(to: hold) }) }

    /// All of ``fields`` in one line.
    package var description: String { fields.inWords }

    private func fields(_ assumed: [Assumption]) -> [Field] {
        var fields = assumed.map {
            Field(
                name: $0.rawValue, word: $0.word(in: assumptions), isTruth: $0.words == ["true", "false"],
                meaning: $0.meaning(in: assumptions))
        }
        if countsPrompts { fields.append(Self.answers) }
        if device.settings.stolenDeviceProtection { fields.append(Self.theftProtection) }
        if device.hasAccount { fields.append(Self.account) }
        if device.isUnlockableByWatch { fields.append(Self.autoUnlock) }
        return fields
    }
}

extension Assumed.Field {
    package var words: String { "\(name): \(word)" }
}

extension [Assumed.Field] {
    /// All assumptions in one line.
    package var inWords: String { map(\.words).joined(separator: ", ") }
}
