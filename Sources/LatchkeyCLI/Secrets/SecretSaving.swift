internal import AgentProtocol
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// The last step of each command that saves a secret, and the words on it.
enum SecretSaving {
    /// Saves a secret by a request that adds it with these fields, and confirms that.
    static func keep(
        _ secret: borrowing SecureBytes, _ fields: [SecretField], as name: String, by request: AddCall,
        _ access: VaultAccess
    ) throws {
        let reply: SavedReply
        let packed = fields.isEmpty ? try secret.copy() : try SecretField.packed(secret, fields)
        do throws(AgentError) {
            let answer = try access.ask(request, because: "save \(name)", sending: packed)
            reply = answer.reply
        } catch {
            guard error.kind == .exists else { throw error }
            throw isThere(name)
        }
        confirm(name, reply.policy.map { ItemPolicyWords.prompting($0, isReused: reply.isReused) })
    }

    /// Confirms that a secret was saved, and says when it prompts.
    static func confirm(_ name: String, _ policy: ItemPolicy, _ access: VaultAccess) {
        confirm(name, try? access.prompting(policy))
    }

    private static func confirm(_ name: String, _ prompting: String?) {
        let prompting = prompting.map { "; \($0)" }
        Output.confirm("Saved \(Terminal.line(name))\(prompting ?? "").")
    }

    /// Returns the error for a name that has a secret already, which the command of this name replaces.
    static func isThere(_ name: String, replacedBy command: String = "set") -> AgentError {
        AgentError(
            .exists,
            "there is a secret \(name) already: replace it with `latchkey \(command) --replace`, or change it with "
                + "`latchkey edit`")
    }
}
