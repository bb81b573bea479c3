package import DeviceModel
package import PolicyProver

/// The assumptions behind an answer, and the device setting that answers depend on, in the words of files.
package struct Assumed: Sendable, CustomStringConvertible {
    /// One assumption or setting.
    package struct Field: Hashable, Sendable {
        /// The word before the colon.
        package let name: String
        /// The word after it.
        package let word: String
        /// True if the word is `true` or `false`.
        package let isTruth: Bool
    }

    private let assumptions: Assumptions
    private let isTheftProtected: Bool

    /// Creates a statement of `assumptions` about a device with these settings.
    package init(_ assumptions: Assumptions, on settings: DeviceSettings) {
        self.assumptions = assumptions
        isTheftProtected = settings.stolenDeviceProtection
    }

    /// The setting in the words of files. Reports state it only if it is on.
    static let theftProtection = Field(name: "stolenDeviceProtection", word: "true", isTruth: true)

    /// All assumptions, and the setting if it is on.
    package var fields: [Field] { fields(Assumption.allCases) }

    /// Returns the assumptions that make a difference to a device that comes to the attacker in this way.
    package func fields(for hold: Hold) -> [Field] { fields(Assumption.allCases.filter { $0.applies(to: hold) }) }

    /// All of ``fields`` in one line.
    package var description: String { fields.inWords }

    private func fields(_ assumed: [Assumption]) -> [Field] {
        let fields = assumed.map {
            Field(name: $0.rawValue, word: $0.word(in: assumptions), isTruth: $0.words == ["true", "false"])
        }
        return isTheftProtected ? fields + [Self.theftProtection] : fields
    }
}

extension Assumed.Field {
    /// The assumption as `name: word`.
    package var words: String { "\(name): \(word)" }
}

extension [Assumed.Field] {
    /// All assumptions in one line.
    package var inWords: String { map(\.words).joined(separator: ", ") }
}
