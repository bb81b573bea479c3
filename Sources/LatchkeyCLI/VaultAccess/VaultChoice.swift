internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent

/// The options of every command on a vault: its folder, and whether the command may prompt.
struct VaultChoice: OptionList {
    let folder = Option(
        "--vault", value: "DIR", says: "the vault, instead of $LATCHKEY_HOME or ~/.local/share/latchkey",
        values: .folder)
    let noPrompt = Option("--no-prompt", says: "never prompt: exit with status 8, or 5 if the vault is locked")
}

extension Given<VaultChoice> {
    /// True if the command may show prompts. `--no-prompt` and `LATCHKEY_PROMPT=never` forbid them.
    ///
    /// - Throws: `AgentError` if `LATCHKEY_PROMPT` has another value.
    var mayPrompt: Bool {
        get throws {
            if self[\.noPrompt] { return false }
            guard let wish = getenv("LATCHKEY_PROMPT"), wish.pointee != 0 else { return true }
            // A misspelled wish must not bring up the window that it was to prevent.
            guard strcmp(wish, "never") == 0 else {
                throw AgentError(.request, "LATCHKEY_PROMPT can only be never: set it to that, or unset it")
            }
            return false
        }
    }
}
