internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyAgent
internal import SecretVault

/// The size of the audit log, as it is written on a command line.
enum LogSize {
    private static let units: [(letter: Character, factor: Int64)] = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]

    /// Returns the size in bytes that `text` states. Throws if it is no size, or if no log can have it.
    @Sendable static func bytes(_ text: String) throws(UsageError) -> Int64 {
        let unit = units.first { text.last == $0.letter }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let number = Int64(digits), number > 0,
            case let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.factor ?? 1), !isTooLarge,
            AuditSize.range.contains(bytes)
        else { throw UsageError("--log-size needs a whole number with K, M or G, from 1M to 1024G") }
        return bytes
    }

    /// Returns a size as people read it.
    static func words(_ bytes: Int64) -> String {
        let unit = units.first { bytes % $0.factor == 0 }
        return unit.map { "\(bytes / $0.factor) \($0.letter)iB" } ?? "\(bytes) bytes"
    }

    /// Returns how the log is kept, in one line; nil if the agent did not say. Settings that are not checked say nothing
    /// about when a record is written.
    static func words(_ log: Request.LogChanges, isChecked: Bool) -> String? {
        guard let size = log.size, let isDurable = log.isDurable else { return nil }
        if !isChecked && !isDurable { return "up to \(words(size))" }
        return "up to \(words(size)), written \(isDurable ? "before each answer" : "within a second")"
    }
}
