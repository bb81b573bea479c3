internal import PlainText

/// A unit of a number that is typed, with its letter.
private typealias Unit = (letter: Character, factor: Int)

/// Returns the number that `text` states in its unit, which may be missing; nil if it is none.
private func number(_ text: String, _ units: [Unit]) -> Int? {
    let unit = units.first { text.last == $0.letter }
    guard let number = Int(unit == nil ? text[...] : text.dropLast()), number >= 0,
        case let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit?.factor ?? 1), !isTooLarge
    else { return nil }
    return product
}

/// A time as it is typed: a number with a unit.
package enum TypedTime: Sendable {
    private static let units: [Unit] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

    /// Returns the seconds that `text` states, such as 90s, 10m or 1h; only 0 needs no unit. Throws if it is no time, or a
    /// longer one.
    static func seconds(_ text: String, for option: String, atMost most: Int) throws(AgentError) -> Int {
        if let number = Int(text), 1...most ~= number {
            // Seconds that were meant as days would delete what nothing brings back.
            let forms = units.filter { $0.factor <= most / number }.map { "\(number)\($0.letter)" }
            throw AgentError(.request, "\(option) \(number) needs a unit: write \(enumerated(forms))")
        }
        guard let seconds = number(text, units), seconds <= most else {
            throw AgentError(
                .request, "\(option) needs a time such as 90s, 10m or 1h, at most \(counted(seconds: most))")
        }
        return seconds
    }

    /// Returns a number of seconds as it is typed, in the largest unit that needs no fraction.
    static func text(_ seconds: Int) -> String {
        guard seconds > 0, let unit = units.first(where: { seconds % $0.factor == 0 }) else { return "0" }
        return "\(seconds / unit.factor)\(unit.letter)"
    }

    /// Returns a number of seconds for people, in its largest unit and rounded up.
    package static func rough(_ seconds: Int) -> String {
        let unit = units.first { seconds >= $0.factor }?.factor ?? 1
        return counted(seconds: (seconds + unit - 1) / unit * unit)
    }
}

/// A size as it is typed: a number with a unit.
package enum TypedSize: Sendable {
    private static let units: [Unit] = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
    /// The sizes that an audit log can have, in bytes.
    package static let ofLogs = 1 << 20...1 << 40

    /// Returns the size in bytes that `text` states. Throws if it is no size, or if no log can have it.
    static func bytes(_ text: String, for option: String) throws(AgentError) -> Int {
        guard let bytes = number(text, units), ofLogs.contains(bytes) else {
            throw AgentError(.request, "\(option) needs a whole number with K, M or G, from 1M to 1024G")
        }
        return bytes
    }

    /// Returns a size as it is typed, in the largest unit that needs no fraction.
    static func text(_ bytes: Int) -> String {
        units.first { bytes % $0.factor == 0 }.map { "\(bytes / $0.factor)\($0.letter)" } ?? "\(bytes)"
    }

    /// Returns a size for people.
    package static func words(_ bytes: Int) -> String {
        units.first { bytes % $0.factor == 0 }.map { "\(bytes / $0.factor) \($0.letter)iB" } ?? "\(bytes) bytes"
    }
}
