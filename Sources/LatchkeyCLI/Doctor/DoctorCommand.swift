internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText

/// `latchkey doctor`
enum DoctorCommand {
    static let declaration = Declaration(
        name: "doctor", summary: "look at everything that a vault needs, and say how to mend it",
        text: """
            Looks at the vault's files and who may read them, its PAM service, how much memory may be locked, the agent and its
            socket, the clock, what watches for sleep, and the sensor. Each finding comes with what mends it. Nothing is changed
            and nobody is asked. latchkey verify looks into the vault itself.
            """,
        options: VaultReportOptions(),
        statuses: [(1, "something was found")]
            + ExitStatus.all(but: [
                .notFound, .exists, .locked, .dismissed, .nobody, .wrong, .denied, .unavailable, .damaged,
            ]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let findings = try Examination(given[\.vault]).findings
        if given[\.json] {
            let values = findings.map { finding in
                JSON.object([
                    "what": .string(finding.what), "says": .string(finding.says),
                    "fix": finding.fix.map { .string($0) } ?? .null,
                ])
            }
            Output.write(JSON.array(values).text + "\n")
        } else {
            var table = TextTable()
            for finding in findings {
                table.rows.append([
                    .init(finding.what, .faint),
                    .init(finding.fix == nil ? "good" : "bad", finding.fix == nil ? .good : .bad),
                    .init(Terminal.line(finding.says)),
                ])
                if let fix = finding.fix {
                    table.rows.append([.init(""), .init(""), .init(Terminal.line("→ \(fix)"))])
                }
            }
            Output.write(table.text(colored: Output.isColored))
        }
        if findings.contains(where: { $0.fix != nil }) { exit(1) }
        return ""
    }
}
