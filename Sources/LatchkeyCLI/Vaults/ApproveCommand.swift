internal import AgentProtocol
internal import CommandLineKit
internal import PlainText
internal import Prompts

/// `latchkey approve`
enum ApproveCommand {
    static let declaration = Declaration(
        name: "approve", summary: "answer the prompt of a command that cannot show it",
        text: """
            Shows the prompt of a command, of ssh or of a desktop program that has no place for it, and the request goes on with
            your answer. A command waits like this while another program, such as a coding agent, reads its terminal. The prompt
            names the program as the system knows it, and the request as the agent decides on it. What the program says of itself
            stands in a note. Dismiss the prompt, and the request ends at once. If several wait, choose one after the other.
            """,
        options: VaultOption(), examples: [("latchkey approve", "")],
        statuses: ExitStatus.all(but: [.exists]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayWait: false)
        guard access.user != nil else { throw access.refusal }
        // Look before a request is taken: a prompt that cannot be shown here would dismiss it.
        if case .terminal(let terminal) = access.prompter { try terminal.requirePlace() }
        var waiting = try requests(access)
        guard waiting.contains(where: { !$0.isShown }) else {
            let isAny = !waiting.isEmpty
            throw AgentError(
                .notFound, "no request waits for an approval\(isAny ? " that another terminal does not show" : "")")
        }
        var chosen = waiting.count == 1 ? waiting[0] : choose(among: waiting)
        while let request = chosen {
            var failure: AgentError?
            do throws(AgentError) {
                _ = try access.client.ask(ApproveCall(request.number), of: access.user)
                Output.confirm("Approved: the program goes on.")
            } catch { failure = access.withRefusal(error).inCommandWords() }
            waiting = try requests(access)
            if !waiting.contains(where: { !$0.isShown }) {
                if let failure { throw failure }
                return ""
            }
            if let failure { Output.complain(failure.message) }
            chosen = choose(among: waiting)
        }
        return ""
    }

    private static func requests(_ access: VaultAccess) throws(AgentError) -> [WaitingRequest] {
        try access.client.ask(WaitingCall(), of: nil).reply.requests
    }

    /// Shows the requests with numbers, and returns the one whose number the user types; nil if it is none.
    private static func choose(among waiting: [WaitingRequest]) -> WaitingRequest? {
        let open = waiting.filter { !$0.isShown }
        let shown = waiting.filter(\.isShown).map { "  -  \($0.line) (shown at another terminal)\n" }
        let lines = open.enumerated().map { "  \($0 + 1)  \($1.line)\n" }
        guard
            let answer = DoctorQuestion.ask(
                "These requests wait:\n\((lines + shown).joined())Number (Enter alone: none): "),
            let number = Int(answer), open.indices ~= number - 1
        else { return nil }
        return open[number - 1]
    }
}

extension WaitingRequest {
    /// One line that says who asks for what.
    fileprivate var line: String {
        let caller = content.caller.map { caller in
            let path = caller.path.map { Terminal.name($0, also: "/", longest: 80) }
            let name = caller.name.map { "\(Terminal.name($0)), whose path is hidden" }
            return ", for \(path ?? name ?? "unknown") (process \(caller.process))"
        }
        let secret = content.secret.map { " \(Terminal.name($0, also: "/", longest: 60))" } ?? ""
        return
            "\(Terminal.name(content.app)): \(Terminal.sentence(content.reason, longest: 100))\(secret)\(caller ?? "")"
    }
}
