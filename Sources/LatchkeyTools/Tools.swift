package import CommandLineKit
internal import LatchkeyCLI
internal import LinuxSystem

/// Every command, with help, completion and manual pages. The program `latchkey-tools` runs those that `latchkey` does not have.
package enum Tools {
    /// The commands of this module that the help lists before one of the daily commands.
    private static let inserted: [(before: String, commands: [Declaration])] = [
        ("unlock", [KeyCommand.declaration, SSHCommand.declaration, LendCommand.declaration, InitCommand.declaration]),
        (
            "log",
            [
                ReceiveCommand.declaration, RetireCommand.declaration, DoctorCommand.declaration,
                BiometryCommand.declaration,
            ]
        ),
        ("git-credential", [AgentCommand.declaration { _ in OwnProgram.agent.takeOver(Latchkey.words) }]),
    ]

    /// The commands that the help lists after all daily ones.
    private static let last: [Declaration] = [
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

    /// The commands, in the order in which the help lists them.
    package static let commands =
        Latchkey.commands.flatMap { daily in
            (inserted.first { $0.before == daily.name }?.commands ?? []) + [daily]
        } + last

    /// The declaration of the program, with every command.
    package static let program = Declaration(
        name: "latchkey", summary: "keep secrets behind a fingerprint or a password, and test access policies",
        text: """
            latchkey \(Latchkey.version) keeps secrets in an encrypted vault, each behind an access policy: a fingerprint, a passcode,
            both, or nothing. It also tests access policies, and proves what an attacker can never do.
            """,
        options: Options(), commands: commands,
        examples: [
            ("latchkey init", "creates a vault"),
            ("latchkey set work/token", "saves a secret in it"),
            ("latchkey run --env TOKEN=work/token -- ./deploy", "hands it to one program"),
            ("latchkey threats --require biometryAny", "shows which attacker can read an item behind these flags"),
        ],
        version: Latchkey.version, environment: environment, otherWords: otherWords,
        run: { _ in "latchkey \(Latchkey.version)\n" })

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

    /// Writes what a shell offers, if its script runs the command for that. Returns false for any other command line.
    package static func completes(_ words: [RawText]) -> Bool { CompletionCommand.answers(words) }

    private struct Options: OptionList {
        let version = Option("--version", says: "show the version")
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
}
