package import CommandLineKit
internal import LatchkeyAgent
internal import LinuxSystem

/// The `latchkey` command.
@main
package enum Latchkey {
    /// Of the program, in three numbers.
    package static let version = "0.1.0"

    /// What it can do, in the order in which the help tells it.
    package static let commands: [Declaration] = [
        GetCommand.declaration,
        RunCommand.declaration,
        SetCommand.declaration,
        ListCommand.declaration,
        ShowCommand.declaration,
        EditCommand.declaration,
        MoveCommand.declaration,
        RemoveCommand.declaration,
        GenerateCommand.declaration,
        ImportCommand.declaration,
        InitCommand.declaration,
        UnlockCommand.declaration,
        LockCommand.declaration,
        StatusCommand.declaration,
        PasswdCommand.declaration,
        RecoverCommand.declaration,
        VerifyCommand.declaration,
        BackupCommand.declaration,
        RestoreCommand.declaration,
        DoctorCommand.declaration,
        BiometryCommand.declaration,
        LogCommand.declaration,
        SettingsCommand.declaration,
        AgentCommand.declaration,
        GitCredentialCommand.declaration,
        DockerCredentialCommand.declaration,
        AskpassCommand.declaration,
        DemoCommand.declaration,
        TestCommand.declaration,
        ExplainCommand.declaration,
        MatrixCommand.declaration,
        ProveCommand.declaration,
        ProfilesCommand.declaration,
        ThreatsCommand.declaration,
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
        name: "latchkey", summary: "release a secret to whoever may have it, and test what decides that",
        text: "latchkey \(version): may this secret be released, now, to whoever is holding the device?",
        options: Options(), commands: commands, version: version, environment: environment,
        run: { _ in "latchkey \(version)\n" })

    private struct Options: OptionList {
        let version = Option("--version", says: "show the version")
    }

    /// Names of links to it by which other programs call it, with the words that each stands for.
    static let links: [(name: String, words: [String])] = [
        ("git-credential-latchkey", [GitCredentialCommand.declaration.name]),
        ("docker-credential-latchkey", [DockerCredentialCommand.declaration.name]),
        ("latchkey-askpass", [AskpassCommand.declaration.name, "--"]),  // a prompt may begin as it likes
    ]

    /// The words it is given, with those before them that the name stands for by which it was called.
    private static var words: [RawText] {
        let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { RawText(cString: $0) } }
        let called = words.first?.text.split(separator: "/").last.map(String.init)
        return (links.first { $0.name == called }?.words ?? []).map { RawText($0) } + words.dropFirst()
    }

    /// The variables of the environment that it reads.
    private static let environment: [(name: String, says: String)] = [
        ("LATCHKEY_HOME", "the folder of the vault, where --vault names none"),
        ("XDG_DATA_HOME", "where the vault is otherwise, in latchkey; ~/.local/share where this is not set"),
        (
            "XDG_RUNTIME_DIR",
            "where the agent listens, in latchkey; /run/user/UID where this is not set, or else the folder of the vault"
        ),
        ("NO_COLOR", "nothing is colored where this is set, and nothing ever where no terminal is written to"),
        ("SSH_ASKPASS_PROMPT", "what ssh wants of latchkey askpass"),
        ("TMPDIR", "where temporary folders are made, instead of in /tmp"),
    ]

    static func main() {
        CrashSafety.begin()
        Output.reserveDescriptors()
        var arguments = Arguments(program)
        do {
            let run = try arguments.understand(words)
            Output.write(try run?() ?? HelpText(arguments.path).text)
        } catch let error as UsageError {
            let called = arguments.path.map(\.name).joined(separator: " ")
            Output.fail(error.message(for: called), status: 2)
        } catch let fault as AgentError {
            Output.fail("\(fault.inCommandWords())", status: ExitStatus.of(fault.kind))
        } catch let error as Program.StartError {
            Output.fail("\(error)", status: error.status)
        } catch {
            Output.fail("\(error)", status: 1)
        }
    }
}
