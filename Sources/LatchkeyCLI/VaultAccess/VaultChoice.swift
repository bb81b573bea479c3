internal import AgentProtocol
package import CommandLineKit
internal import Glibc

/// The options of every command on a vault: its folder, and whether the command may prompt.
package struct VaultChoice: OptionList {
    package let folder = Option(
        "--vault", value: "DIR", says: "the vault, instead of $LATCHKEY_HOME or ~/.local/share/latchkey",
        values: .folder)
    let noPrompt = Option("--no-prompt", says: "never prompt: exit with status 8, or 5 if the vault is locked")
}

extension Given<VaultChoice> {
    /// The values of `LATCHKEY_PROMPT`.
    private enum Wish: String {
        /// No prompts.
        case never
        /// Prompts wait for `latchkey approve`.
        case approve
    }

    /// The wish in `LATCHKEY_PROMPT`; nil if there is none.
    ///
    /// - Throws: `AgentError` for any other value.
    private var wish: Wish? {
        get throws {
            guard let said = getenv("LATCHKEY_PROMPT"), said.pointee != 0 else { return nil }
            // A misspelled wish must not bring up the window that it was to prevent.
            guard let wish = Wish(rawValue: String(cString: said)) else {
                throw AgentError(.request, "LATCHKEY_PROMPT can only be never or approve: set it to one, or unset it")
            }
            return wish
        }
    }

    /// True if the command may show prompts. `--no-prompt` and `LATCHKEY_PROMPT=never` forbid them.
    ///
    /// - Throws: `AgentError` if `LATCHKEY_PROMPT` has an unknown value.
    package var mayPrompt: Bool {
        get throws {
            if self[\.noPrompt] { return false }
            return try wish != .never
        }
    }

    /// True if prompts wait for `latchkey approve`, wherever the command runs.
    package var leavesPrompts: Bool { (try? wish) == .approve }
}
