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
        let lent = Option("--lent", says: "show only uses of secrets that are lent")
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
            ("latchkey log --lent", "what programs used by `latchkey lend`"),
            ("latchkey log --follow", "goes on with what happens from now on"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var latest = given[\.last]
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var last = 0
        var lines = LogLines()
        let isLent = given[\.lent]
        while true {
            // The latest of some records are known at the end.
            var latestLent: [String] = []
            last = try LogReading.read(access.client, after: last, latest: isLent ? nil : latest) { text, record in
                if isLent && record.caller.loan == nil { return }
                let line = given[\.json] ? text + "\n" : lines.line(record)
                guard isLent, let latest else { return Output.write(line) }
                latestLent.append(line)
                if latestLent.count > latest { latestLent.removeFirst() }
            }
            for line in latestLent { Output.write(line) }
            latest = nil
            if !given[\.follow] { return "" }
            usleep(500_000)
        }
    }
}
