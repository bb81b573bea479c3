internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey lend end`
enum LendEndCommand {
    static let declaration = Declaration(
        name: "end", summary: "end what is lent",
        text: """
            Ends a loan, by its number in `latchkey lend list`, or all of them. What is under way is cut. The program goes on
            without the secret. It never prompts.
            """,
        operands: [Operand(name: "NUMBER", isOptional: true)], options: VaultOption(),
        examples: [("latchkey lend end", "ends everything that is lent"), ("latchkey lend end 3", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        var number: Int?
        if let word = given.words.first {
            guard let chosen = Int(word), chosen > 0 else {
                throw UsageError("NUMBER is that of a loan in `latchkey lend list`, not \"\(Terminal.word(word))\"")
            }
            number = chosen
        }
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        let count = try access.ask(EndLoansCall(number)).reply.count
        Output.confirm(
            count == 0
                ? "Nothing is lent now, and nothing that a lock has cut goes on." : "\(counted(count, "loan")) ended.")
        return ""
    }
}
