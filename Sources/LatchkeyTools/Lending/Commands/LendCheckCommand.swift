internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText
internal import ScenarioFormat

/// `latchkey lend check`
enum LendCheckCommand {
    static let declaration = Declaration(
        name: "check", summary: "check a profile, without a vault",
        text: """
            Reads a profile and prints what it lends: the lines that its owner agrees to. Then it says what the program can still
            do after the last answer, and proves the claims of the profile. A mistake has its line and column. It needs no vault
            and never prompts, so it also runs in CI.
            """,
        operands: [Operand(name: "PROFILE", values: .file, isRepeated: true)],
        examples: [("latchkey lend check site.yaml", "")],
        statuses: [(1, "a claim is not as expected"), (2, "a profile was not understood")], run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) throws -> String {
        var text = ""
        var isExpected = true
        for path in given.words {
            let file: LoanFile
            do { file = try LoanFile(path, policies: LentProfile.policies) } catch {
                Output.fail(error.description, status: 2)
            }
            guard let profile = file.profile else { exit(Complaints.tell(file.mistakes)) }
            text += profile.lines.map { Terminal.line($0) + "\n" }.joined()
            let report = try LoanReport(profile, file.claims)
            text += report.lines.map { $0 + "\n" }.joined()
            isExpected = isExpected && report.isAsExpected
        }
        guard isExpected else {
            Output.write(text)
            exit(1)
        }
        return text
    }
}
