internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey lend allow`
enum LendAllowCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let noLonger = Option("--no-longer", says: "forbid these purposes instead")
        let json = Option("--json", says: "print one JSON object")
    }

    static let declaration = Declaration(
        name: "allow", summary: "choose what a secret may be lent for",
        text: """
            Lets a secret be lent for these purposes, and for no other: a server, or `codes`, `signatures`, `decryptions` or
            `value`. A key can be lent for logins by SSH, each for one user at one host. That takes the passcode. Without a
            purpose, it prints those that are allowed. A profile can only choose among them.
            """,
        operands: [
            Operand(name: "NAME", values: .secret),
            Operand(
                name: "PURPOSE", says: "https:// and a host, ssh:// with a user and a host, or a word such as codes",
                isOptional: true,
                isRepeated: true),
        ],
        options: Options(),
        examples: [
            ("latchkey lend allow work/api https://api.example.com", "allows one server"),
            ("latchkey lend allow ssh/github ssh://git@github.com", "allows logins with a key"),
            ("latchkey lend allow work/api", "prints its purposes"),
            ("latchkey lend allow work/api --no-longer https://api.example.com", "forbids it again"),
        ],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let (name, targets) = (given.words[0], Array(given.words.dropFirst()))
        let isForbidden = given[\.noLonger]
        if targets.isEmpty && isForbidden { throw UsageError("--no-longer needs a purpose") }
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let call =
            isForbidden ? AllowLendingCall(name, forbidding: targets) : AllowLendingCall(name, allowing: targets)
        let reply = try access.ask(call, because: "change what \(name) may be lent for").reply
        if given[\.json] { return reply.head.text + "\n" }
        if targets.isEmpty {
            if reply.targets.isEmpty {
                Output.confirm("\(Terminal.line(name)) may be lent for nothing.")
            }
            return reply.targets.map { Terminal.line($0) + "\n" }.joined()
        }
        Output.confirm(
            reply.targets.isEmpty
                ? "\(Terminal.line(name)) may be lent for nothing now."
                : "\(Terminal.line(name)) may be lent for \(enumerated(reply.targets)).")
        return ""
    }
}
