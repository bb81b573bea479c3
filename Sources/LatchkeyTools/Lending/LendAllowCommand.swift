internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey lend allow`
enum LendAllowCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let noLonger = Option("--no-longer", says: "forbid these servers instead")
        let json = Option("--json", says: "print one JSON object")
    }

    static let declaration = Declaration(
        name: "allow", summary: "choose the servers that a secret may be lent for",
        text: """
            Lets a secret be lent for these servers, and for no other. That takes the passcode. Without a server, it prints those
            that are allowed. A profile can only choose among them.
            """,
        operands: [
            Operand(name: "NAME", values: .secret),
            Operand(name: "SERVER", says: "https:// and a host", isOptional: true, isRepeated: true),
        ],
        options: Options(),
        examples: [
            ("latchkey lend allow work/api https://api.example.com", "allows one server"),
            ("latchkey lend allow work/api", "prints the servers"),
            ("latchkey lend allow work/api --no-longer https://api.example.com", "forbids it again"),
        ],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let (name, servers) = (given.words[0], Array(given.words.dropFirst()))
        let isForbidden = given[\.noLonger]
        if servers.isEmpty && isForbidden { throw UsageError("--no-longer needs a server") }
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let call =
            isForbidden ? AllowLendingCall(name, forbidding: servers) : AllowLendingCall(name, allowing: servers)
        let reply = try access.ask(call, because: "change the servers that \(name) may be lent for").reply
        if given[\.json] { return reply.head.text + "\n" }
        if servers.isEmpty {
            if reply.servers.isEmpty {
                Output.confirm("\(Terminal.line(name)) may be lent for no server.")
            }
            return reply.servers.map { Terminal.line($0) + "\n" }.joined()
        }
        Output.confirm(
            reply.servers.isEmpty
                ? "\(Terminal.line(name)) may be lent for no server now."
                : "\(Terminal.line(name)) may be lent for \(enumerated(reply.servers)).")
        return ""
    }
}
