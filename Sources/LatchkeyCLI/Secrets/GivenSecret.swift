internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import Prompts
internal import SodiumKit

/// The secret that a command gets to save: from a file, from the user or from standard input.
enum GivenSecret {
    /// The error for a prompt at which the user typed nothing.
    static var nothingTyped: AgentError { AgentError(.dismissed, "you typed nothing, and nothing was saved") }

    /// Returns the secret to save: the contents of the file at `path`, or what the user types, or standard input.
    ///
    /// The prompt has the name of the `field` that it asks for; nil for a value.
    ///
    /// - Throws: `AgentError` if the user dismisses the prompt, if there is no terminal, or if standard input is empty.
    static func read(
        from path: RawText?, trimmed: Bool, _ user: (any DeviceUser)?, for what: String, field: String? = nil
    ) throws -> SecureBytes {
        let read: SecureBytes
        if let path {
            read = try SecretInput.read(fileAt: path)
        } else if isatty(STDIN_FILENO) == 1 {
            guard let user else { throw AgentError.noTerminal }
            var content = PromptContent(.newSecret, reason: "save \(what)", app: "latchkey")
            content.field = field
            let prompt = Prompt(content)
            guard case .typed(let typed) = user.answer(prompt) else {
                if prompt.hasMismatch { throw AgentError.mismatch("nothing was saved") }
                throw (user as? CommandTerminal)?.refusal ?? nothingTyped
            }
            return typed
        } else {
            read = try SecretInput.read(STDIN_FILENO, called: "standard input")
            if read.count == 0 { throw AgentError(.request, "standard input was empty, and nothing was saved") }
        }
        return trimmed ? try SecretInput.withoutLastNewline(read) : read
    }
}
