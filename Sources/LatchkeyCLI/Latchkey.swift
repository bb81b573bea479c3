internal import AgentProtocol
package import CommandLineKit
internal import LinuxSystem
internal import VaultService

/// The `latchkey` command.
@main
package enum Latchkey {
    /// The version of the program, as three numbers.
    package static let version = "0.2.0"

    /// The commands, in the order in which the help lists them.
    package static let commands: [Declaration] = [
        GetCommand.declaration,
        OneTimeCodeCommand.declaration,
        RunCommand.declaration,
        SetCommand.declaration,
        AddCommand.declaration,
        ListCommand.declaration,
        ListCommand.short,
        SearchCommand.declaration,
        ShowCommand.declaration,
        EditCommand.declaration,
        HistoryCommand.declaration,
        UndoCommand.declaration,
        MoveCommand.declaration,
        CopyCommand.declaration,
        RemoveCommand.declaration,
        GenerateCommand.declaration,
        ImportCommand.declaration,
        ExportCommand.declaration,
        KeyCommand.declaration,
        SSHCommand.declaration,
        InitCommand.declaration,
        UnlockCommand.declaration,
        ApproveCommand.declaration,
        LockCommand.declaration,
        StatusCommand.declaration,
        PasswdCommand.declaration,
        RecoverCommand.declaration,
        RecoveryKeyCommand.declaration,
        VerifyCommand.declaration,
        BackupCommand.declaration,
        RestoreCommand.declaration,
        TransferCommand.declaration,
        ReceiveCommand.declaration,
        RetireCommand.declaration,
        DoctorCommand.declaration,
        BiometryCommand.declaration,
        LogCommand.declaration,
        WatchCommand.declaration,
        ConfigCommand.declaration,
        FolderCommand.declaration,
        SecretServiceCommand.declaration,
        AgentCommand.declaration,
        GitCredentialCommand.declaration,
        DockerCredentialCommand.declaration,
        AskpassCommand.declaration,
        SSHAgentCommand.declaration,
        DemoCommand.declaration,
        TestCommand.declaration,
        ExplainCommand.declaration,
        SimulateCommand.declaration,
        MatrixCommand.declaration,
        ProveCommand.declaration,
        ProfilesCommand.declaration,
        ThreatsCommand.declaration,
        ReportCommand.declaration,
        CompareCommand.declaration,
        SuggestCommand.declaration,
        GraphCommand.declaration,
        NewCommand.declaration,
        RulesCommand.declaration,
        CompletionCommand.declaration,
        ManCommand.declaration,
        HelpCommand.declaration,
    ]

    /// The declaration of the program, with every command.
    package static let program = Declaration(
        name: "latchkey", summary: "keep secrets behind a fingerprint or a password, and test access policies",
        text: """
            latchkey \(version) keeps secrets in an encrypted vault, each behind an access policy: a fingerprint, a passcode,
            both, or nothing. It also tests access policies, and proves what an attacker can never do.
            """,
        options: Options(), commands: commands,
        examples: [
            ("latchkey init", "creates a vault"),
            ("latchkey set work/token", "saves a secret in it"),
            ("latchkey run --env TOKEN=work/token -- ./deploy", "hands it to one program"),
            ("latchkey threats --require biometryAny", "shows which attacker can read an item behind these flags"),
        ],
        version: version, environment: environment, otherWords: otherWords,
        run: { _ in "latchkey \(version)\n" })

    /// The words that pass, gopass, Bitwarden, 1Password, KeePassXC, secret-tool, Vault and the shell have for a command.
    private static let otherWords = [
        "cat": "get", "read": "get", "print": "get", "clip": "get --clip", "copy": "cp", "password": "get or passwd",
        "lookup": "get", "reveal": "get", "insert": "set", "create": "set", "put": "set", "store": "set", "save": "set",
        "write": "set", "delete": "rm", "remove": "rm", "erase": "rm", "del": "rm", "unset": "rm",
        "destroy": "rm", "rename": "mv", "move": "mv", "find": "search", "grep": "search",
        "locate": "search", "update": "edit", "change": "edit", "modify": "edit", "info": "show", "describe": "show",
        "details": "show", "tree": "list --tree", "dir": "list",
        "undelete": "undo", "revert": "undo", "rollback": "undo", "versions": "history", "gen": "generate",
        "pwgen": "generate", "diceware": "generate --words", "totp": "otp", "code": "otp", "exec": "run",
        "env": "run --env", "inject": "run --env", "login": "unlock", "open": "unlock", "signin": "unlock",
        "logout": "lock", "signout": "lock", "settings": "config",
        "audit": "log", "check": "verify", "fsck": "verify", "sync": "transfer", "migrate": "transfer",
        "chpasswd": "passwd", "version": "--version", "-v": "--version", "-V": "--version", "trash": "list --deleted",
        "deleted": "list --deleted", "recovery": "recovery-key or recover", "key-recovery": "recovery-key",
        "fingerprint": "biometry", "touchid": "biometry",
    ]

    private struct Options: OptionList {
        let version = Option("--version", says: "show the version")
    }

    /// The names under which other programs call the command, as links to it, each with the words that it stands for.
    static let links: [(name: String, words: [String])] = [
        ("git-credential-latchkey", [GitCredentialCommand.declaration.name]),
        ("docker-credential-latchkey", [DockerCredentialCommand.declaration.name]),
        ("latchkey-askpass", [AskpassCommand.declaration.name, "--"]),  // a prompt may begin with a hyphen
    ]

    /// The words of the command line, after those that the name of the called link stands for.
    private static var words: [RawText] {
        let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { RawText(cString: $0) } }
        let called = words.first?.text.split(separator: "/").last.map(String.init)
        return (links.first { $0.name == called }?.words ?? []).map { RawText($0) } + words.dropFirst()
    }

    /// The environment variables that the command reads.
    private static let environment: [(name: String, says: String)] = [
        ("LATCHKEY_HOME", "the folder of the vault, unless --vault names one"),
        ("XDG_DATA_HOME", "otherwise the vault is the folder latchkey in this one; ~/.local/share if it is not set"),
        (
            "XDG_RUNTIME_DIR",
            "the agent listens in the folder latchkey in this one; in /run/user/UID or the vault if it is not set"
        ),
        ("VISUAL", "the editor that latchkey edit --editor starts; otherwise EDITOR, or else vi"),
        ("EDITOR", "the editor, if VISUAL is not set"),
        ("WAYLAND_DISPLAY", "the display whose clipboard --clip uses; otherwise that of DISPLAY"),
        ("DISPLAY", "the X display whose clipboard --clip uses; without one, over SSH, that of the terminal"),
        (
            "LATCHKEY_PROMPT",
            "never: no command prompts, as with --no-prompt; approve: prompts wait for latchkey approve in another terminal"
        ),
        ("NO_COLOR", "if set, output is not colored; only output to a terminal ever is"),
        ("SHELL", "the shell whose commands latchkey ssh-agent prints"),
        ("SSH_ASKPASS_PROMPT", "set by ssh: the kind of answer that it wants from latchkey askpass"),
        ("TMPDIR", "the folder for temporary folders, instead of /tmp"),
    ]

    static func main() {
        CrashSafety.begin()
        Output.reserveDescriptors()
        ClipboardClearing.runIfCalled()
        CardProcess.runIfCalled()
        let words = Self.words
        if CompletionCommand.answers(words) { return }
        var arguments = Arguments(program)
        do {
            let run = try arguments.understand(words)
            Output.write(try run?() ?? HelpText(arguments.path).text)
        } catch let error as UsageError {
            let called = arguments.path.map(\.name).joined(separator: " ")
            Output.fail(error.message(for: called), status: 2)
        } catch let fault as AgentError {
            Output.fail("\(fault.inCommandWords())", status: ExitStatus.of(fault.kind))
        } catch let error as CommandError {
            Output.fail("\(error)", status: error.status)
        } catch {
            Output.fail("\(error)", status: 1)
        }
    }
}
