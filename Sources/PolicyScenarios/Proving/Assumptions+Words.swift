internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// The assumptions behind an answer, and the setting of the device that answers depend on, as reports state them.
struct Assumed: Sendable, CustomStringConvertible {
    private let assumptions: Assumptions
    private let isTheftProtected: Bool

    /// States `assumptions` about a device made like `settings`.
    init(_ assumptions: Assumptions, on settings: DeviceSettings) {
        self.assumptions = assumptions
        isTheftProtected = settings.stolenDeviceProtection
    }

    /// The words of the setting in files. Reports state it only if it is on.
    static let theftProtection = (name: "stolenDeviceProtection", word: "true")

    /// Those that make a difference to a device that comes like this, in the words of files.
    func words(for hold: Hold) -> String { words(named(for: hold)) }

    /// All of them in the words of files.
    var description: String { words(Assumption.allCases) }

    /// Returns ``words(for:)`` as a JSON object.
    func json(for hold: Hold) -> String { json(named(for: hold)) }

    /// All of them as an object of JSON.
    var json: String { json(Assumption.allCases) }

    private func named(for hold: Hold) -> [Assumption] { Assumption.allCases.filter { $0.applies(to: hold) } }

    private func words(_ all: [Assumption]) -> String {
        var words = all.map { "\($0.rawValue): \($0.word(in: assumptions))" }
        if isTheftProtected { words.append("\(Self.theftProtection.name): \(Self.theftProtection.word)") }
        return words.joined(separator: ", ")
    }

    private func json(_ all: [Assumption]) -> String {
        var fields = all.map { assumption in
            let word = assumption.word(in: assumptions)
            return (assumption.rawValue, assumption.isTruth ? word : Quoting.json(word))
        }
        if isTheftProtected { fields.append(Self.theftProtection) }
        return JSONText.object(fields)
    }
}

extension Assumption {
    /// True if it is stated as true or false.
    var isTruth: Bool { words == ["true", "false"] }
}
