internal import CommandLineKit
internal import LatchkeyAgent
internal import PlainText
internal import SecretVault

/// `latchkey settings`
enum SettingsCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let logSize = Option(
            "--log-size", value: "SIZE", says: "how large the log may grow, such as 64M or 1G; at least 1M",
            read: SettingsCommand.bytes)
        let durableLog = Option(
            "--durable-log", value: "WORD",
            says: "yes: put each record on the disk before the answer is given; no: within a second",
            values: .words(["yes", "no"])
        ) { (word) throws(UsageError) in
            guard ["yes", "no"].contains(word) else { throw UsageError("--durable-log takes yes or no") }
            return word == "yes"
        }
        let json = Option("--json", says: "as JSON")
    }

    static let declaration = Declaration(
        name: "settings", summary: "show or change how the audit log is kept",
        text: """
            Shows how the audit log of the vault is kept, after changing what an option names. A change asks for the passcode
            and is itself a record of the log.

            A log that has grown to its size drops its oldest records: first what was denied, then events, and last what was
            granted. One record says what is gone.
            """,
        options: Options(),
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

    /// Returns the size of a log in bytes. Throws if the text is none, or one that no log has.
    @Sendable static func bytes(_ text: String) throws(UsageError) -> Int64 {
        let unit = units.first { text.last == $0.letter }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let number = Int64(digits), number > 0,
            case let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.factor ?? 1), !isTooLarge,
            AuditSize.range.contains(bytes)
        else { throw UsageError("--log-size takes a whole number with K, M or G, from 1M to 1024G") }
        return bytes
    }

    /// A size as people read it.
    static func words(_ bytes: Int64) -> String {
        let unit = units.first { bytes % $0.factor == 0 }
        return unit.map { "\(bytes / $0.factor) \($0.letter)iB" } ?? "\(bytes) bytes"
    }

    /// How the log is kept, in one line.
    static func words(_ log: Request.LogChanges) -> String? {
        guard let size = log.size, let isDurable = log.isDurable else { return nil }
        return "up to \(words(size)), written \(isDurable ? "before each answer" : "within a second")"
    }
}
