internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText

/// `latchkey log`
enum LogCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let last = Option("--last", value: "NUMBER", says: "only so many records, the latest") {
            (text) throws(UsageError) in
            guard let number = Int(text), number >= 0 else { throw UsageError("--last takes a number of records") }
            return number
        }
        let follow = Option("--follow", "-f", says: "go on telling what happens, until it is ended")
        let json = Option("--json", says: "a JSON object a line")
    }

    static let declaration = Declaration(
        name: "log", summary: "tell who asked for what, and what was decided",
        text: """
            Shows the audit log: when, what was asked of which secret and by whom, the verdict and the rule that settled it.
            Names are those of now: they are not in the log, and are shown while the vault is unlocked.

            What a program repeats again and again is counted in one record, and so is what it looks for that is not there.
            --follow shows a record once: its count may rise after that. A log that has grown to its size drops its oldest
            records, and a record says what is gone; see latchkey settings.
            """,
        options: Options(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .nobody]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var latest = given[\.last]
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var last = 0
        while true {
            var head = try access.client.ask(.log(after: last, latest: latest), of: nil) { part throws(WireError) in
                for value in try part.consumeList("records") {
                    guard var head = Head(value) else { continue }
                    let text = head.text
                    let record = try LogRecord(reading: &head)
                    Output.write(given[\.json] ? text + "\n" : line(record))
                }
            }.head
            last = Int(clamping: try head.consumeNumber("last"))
            if let record = try head.consumeNumberIfPresent("damaged-from") {
                throw AgentError(
                    .damaged, "the log is not what was written from record \(record) on: see latchkey verify")
            }
            latest = nil
            if !given[\.follow] { return "" }
            usleep(500_000)
        }
    }

    private static func line(_ record: LogRecord) -> String {
        let rule = record.rules.last.map { " (\($0))" } ?? ""
        // The longest is "challenged".
        let verdict = record.verdict + String(repeating: " ", count: max(0, 10 - record.verdict.count))
        var often = record.count > 1 ? ", \(record.count) times" : ""
        if record.last != record.time { often += ", last \(Moment.text(record.last))" }
        let what = [record.action, record.name].compactMap { $0 }.joined(separator: " ")
        let who = record.caller.text.isEmpty ? "" : ", by \(record.caller.text)"
        return Terminal.line("\(Moment.text(record.time))  \(verdict)  \(what)\(rule)\(who)\(often)") + "\n"
    }
}
