internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import Latchkey
internal import LatchkeyCLI
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import UserPresence
internal import VaultService

/// The folder of a vault that a command is about to create.
enum NewVault {
    /// Returns the folder that the options name. Throws unless a vault can be created there and the user can type at a
    /// terminal.
    static func place(_ choice: Given<VaultChoice>) throws -> String {
        let folder = try VaultAccess.folder(choice)
        if access(folder, F_OK) == 0 {
            throw AgentError(
                .exists,
                "\(folder) exists already, and nothing is replaced: name another folder with --vault")
        }
        guard try choice.mayPrompt else {
            throw AgentError(
                .noTerminal,
                "you have to type a passcode, and --no-prompt or LATCHKEY_PROMPT forbids it: run the command without that"
            )
        }
        guard TerminalUser.isThere else {
            throw AgentError(
                .noTerminal, "you have to type a passcode and there is no terminal: run the command in one")
        }
        if let reader = TerminalReader() { throw CommandTerminal.refusal(because: reader) }
        // Check the place first, so that you never type a passcode for a vault that cannot be created.
        do throws(VaultError) { try Vault.requireSafe(newPlace: folder) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        return folder
    }

    /// Closes this process to other programs, and creates the folders above the new one.
    static func prepare(_ folder: String) throws {
        try CrashSafety.shutOff()
        for cut in folder.utf8.indices.dropFirst() where folder.utf8[cut] == UInt8(ascii: "/") {
            let path = String(Substring(folder.utf8[..<cut]))
            // The umask may have removed permissions of the owner.
            let isMade = mkdir(path, 0o700) == 0
            guard isMade ? chmod(path, 0o700) == 0 : errno == EEXIST || errno == EISDIR else {
                throw AgentError(.vault, "\(path): \(SystemError.last)")
            }
        }
    }

    /// The number of times that a passcode or a passphrase may be typed.
    static let tries = 3

    /// Prompts for a passcode or a passphrase at the terminal, for the attempt with this number.
    static func typed(
        _ kind: PromptContent.Kind, _ reason: String, _ attempt: Int = 1
    ) throws(AgentError) -> SecureBytes {
        var content = PromptContent(kind, reason: reason, app: "latchkey")
        content.attempt = attempt
        content.allowance = .init(number: attempt, limit: tries)
        let prompt = Prompt(content)
        let response = TerminalUser().answer(prompt)
        if case .typed(let typed) = consume response { return typed }
        if prompt.hasMismatch { throw .mismatch("no vault was created") }
        throw AgentError(.dismissed, "you typed nothing, and no vault was created")
    }

    /// Unlocks the new vault with the passcode that was just typed. A failure is ignored, because the vault is complete: the
    /// next command says why the agent does not start.
    static func unlock(_ vault: Given<VaultChoice>, _ passcode: borrowing SecureBytes) {
        guard let access = try? VaultAccess(vault), let text = try? passcode.copy() else { return }
        let once = OneAnswer(text)
        _ = try? access.client.ask(UnlockCall(bySensor: false), of: ClosureUser(atOnce: true) { _ in once.take() })
    }
}
