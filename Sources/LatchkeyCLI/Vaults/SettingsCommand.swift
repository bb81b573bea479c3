internal import CommandLineKit
internal import LatchkeyAgent
internal import PlainText
internal import SecretVault

/// `latchkey settings`
enum SettingsCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let logSize = Option(
            "--log-size", value: "SIZE", says: "the maximum size of the audit log, such as 64M or 1G; at least 1M",
            read: SettingsCommand.bytes)
        let durableLog = Option(
            "--durable-log", value: "WORD",
            says: "yes: write each record to disk before the agent answers; no: within a second",
            values: .words(["yes", "no"])
        ) { (word) throws(UsageError) in
            guard ["yes", "no"].contains(word) else { throw UsageError("--durable-log needs yes or no") }
            return word == "yes"
        }
        let json = Option("--json", says: "print JSON")
    }

    static let declaration = Declaration(
        name: "settings", summary: "show or change how the audit log is kept",
        text: """
            Changes what the options name, and shows how the audit log is kept. A change asks for the passcode, and is recorded
            in the log.

            When the log is full, its oldest records make room: denied requests first, then events, granted requests last. One
            record says how much is gone.
            """,
        options: Options(),
        examples: [("latchkey settings", ""), ("latchkey settings --log-size 64M", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var changes = Request.LogChanges()
        changes.size = given[\.logSize]
        changes.isDurable = given[\.durableLog]
        let access = try VaultAccess(given[\.vault])
        let reply = try access.ask(.logSettings(changes), because: "change how the log is kept")
        if given[\.json] { return reply.head.text + "\n" }
        var head = reply.head
        let settings = try Request.LogChanges(from: &head)
        var table = TextTable()
        table.rows = [
            [.init("log size", .faint), .init(settings.size.map(words) ?? "unknown")],
            [.init("durable log", .faint), .init(settings.isDurable == true ? "yes" : "no")],
        ]
        return table.text(colored: Output.isColored)
    }

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

    /// Returns how the log is kept, in one line; nil if the agent did not say.
    static func words(_ log: Request.LogChanges) -> String? {
        guard let size = log.size, let isDurable = log.isDurable else { return nil }
        return "up to \(words(size)), written \(isDurable ? "before each answer" : "within a second")"
    }
}
