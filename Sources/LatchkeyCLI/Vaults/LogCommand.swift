internal import AgentProtocol
internal import CommandLineKit
internal import Glibc

/// `latchkey log`
enum LogCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let last = Option("--last", value: "NUMBER", says: "show only this many records, the latest") {
            (text) throws(UsageError) in
            guard let number = Int(text), number >= 0 else { throw UsageError("--last needs a number of records") }
            return number
        }
        let follow = Option("--follow", "-f", says: "keep showing new records until you press Ctrl-C")
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "log", summary: "show the audit log: who asked for what, and the decisions",
        text: """
            Shows the audit log, oldest record first: time, verdict, request, secret, the deciding rule and the caller. The log
            holds no names. You see the present names of secrets that can be listed now, also of deleted ones that latchkey undo
            can bring back.

            Repeated requests of a program are counted in one record. --follow shows a record once, so its count may rise
            later. docs/command-line.md describes how the log is kept.
            """,
        options: Options(),
        examples: [
            ("latchkey log --last 20", ""),
            ("latchkey log --follow", "goes on with what happens from now on"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var latest = given[\.last]
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var last = 0
        var lines = LogLines()
        while true {
            last = try LogReading.read(access.client, after: last, latest: latest) { text, record in
                Output.write(given[\.json] ? text + "\n" : lines.line(record))
            }
            latest = nil
            if !given[\.follow] { return "" }
            usleep(500_000)
        }
    }
}
