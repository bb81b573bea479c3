internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText

/// `latchkey doctor`
enum DoctorCommand {
    static let declaration = Declaration(
        name: "doctor", summary: "check everything that a vault needs, and say how to repair it",
        text: """
            Without a vault, checks what one will need: the PAM service, the limits of memory, the session and the sensor.
            With one, checks the files of the vault and their permissions, the PAM service, the memory that may be locked, the agent and
            its socket, the clock, sleep, and the sensor. Each problem comes with its repair. Changes nothing, and never
            prompts. To check the stored data, run latchkey verify.
            """,
        options: VaultReportOptions(),
        examples: [("latchkey doctor", ""), ("latchkey doctor --json", "prints the same for programs")],
        statuses: [(1, "a problem was found")]
            + ExitStatus.all(but: [
                .notFound, .exists, .locked, .dismissed, .noTerminal, .wrong, .denied, .unavailable, .damaged,
            ]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let machine = try MachineExamination(given[\.vault])
        let findings = machine.hasVault ? try Examination(given[\.vault]).findings : machine.findings
        if given[\.json] {
            let values = findings.map { finding in
                JSON.object([
                    "what": .string(finding.what), "says": .string(finding.says),
                    "fix": finding.fix.map { .string($0) } ?? .null, "state": .string(finding.word),
                ])
            }
            Output.write(JSON.array(values).text + "\n")
        } else {
            var table = TextTable()
            for finding in findings {
                table.rows.append([
                    .init(finding.what, .faint),
                    .init(finding.word, finding.tone),
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
