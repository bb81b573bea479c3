internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import VaultService

/// `latchkey retire`
enum RetireCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let yes = Option("--yes", says: "do not ask first")
    }

    static let declaration = Declaration(
        name: "retire", summary: "make this vault unreadable, once another machine has it",
        text: """
            Destroys the keys of this vault for good and deletes its folder. CODE is what latchkey receive showed on the new
            machine. It fits only the secrets that this vault had when latchkey transfer wrote them; if one has changed since,
            nothing is destroyed.
            """,
        operands: [Operand(name: "CODE")], options: Options(),
        examples: [("latchkey retire 3f9a-01bc-77de-10aa", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let folder = access.client.vault
        if !given[\.yes] {
            let question = "Destroy the vault in \(Terminal.line(folder)) and its log for good?"
            guard try access.prompter.confirms(question, else: "add --yes") else {
                throw AgentError(.dismissed, "nothing was destroyed, and the vault is as it was")
            }
        }
        let place = try VaultAccess.place(given[\.vault])
        let agent = WatchedProcess(access.client.process)
        _ = try access.client.ask(RetireCall(given.words[0]), of: nil)
        _ = agent.isGone(within: AgentClient.patienceAtEnd)
        let isEmpty = place.removeVault()
        Output.confirm("Destroyed the keys of this vault. Now delete the file of the transfer.")
        if !isEmpty { Output.complain("other files are in \(Terminal.line(folder)), and they stay") }
        return ""
    }
}
