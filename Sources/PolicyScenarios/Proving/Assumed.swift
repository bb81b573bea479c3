package import DeviceModel
package import PolicyProver

/// The assumptions behind an answer, and the setting of the device that answers depend on, in the words of files.
package struct Assumed: Sendable, CustomStringConvertible {
    /// One of them.
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

    /// States `assumptions` about a device made like `settings`.
    package init(_ assumptions: Assumptions, on settings: DeviceSettings) {
        self.assumptions = assumptions
        isTheftProtected = settings.stolenDeviceProtection
    }

    /// The words of the setting in files. Reports state it only if it is on.
    static let theftProtection = Field(name: "stolenDeviceProtection", word: "true", isTruth: true)

    /// All of them.
    package var fields: [Field] { fields(Assumption.allCases) }

    /// Returns those that make a difference to a device that comes like this.
    package func fields(for hold: Hold) -> [Field] { fields(Assumption.allCases.filter { $0.applies(to: hold) }) }

    /// All of them in one line.
    package var description: String { fields.inWords }

    private func fields(_ assumed: [Assumption]) -> [Field] {
        let fields = assumed.map {
            Field(name: $0.rawValue, word: $0.word(in: assumptions), isTruth: $0.words == ["true", "false"])
        }
        return isTheftProtected ? fields + [Self.theftProtection] : fields
    }
}

extension Assumed.Field {
    /// `name: word`.
    package var words: String { "\(name): \(word)" }
}

extension [Assumed.Field] {
    /// All of them in one line.
    package var inWords: String { map(\.words).joined(separator: ", ") }
}
