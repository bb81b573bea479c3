internal import AgentProtocol
package import CommandLineKit
internal import LinuxSystem

/// The daily commands, which the program `latchkey` has. It links few libraries, so that it starts at once. For every other word,
/// another program of Latchkey takes its place.
package enum Latchkey {
    /// The version of the programs, as three numbers.
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
        LogCommand.declaration,
        WatchCommand.declaration,
        ConfigCommand.declaration,
        FolderCommand.declaration,
        SecretServiceCommand.declaration,
        GitCredentialCommand.declaration,
        DockerCredentialCommand.declaration,
        AskpassCommand.declaration,
    ]

    /// The declaration of the program. The help of all commands comes from that of `latchkey-tools`.
    package static let program = Declaration(
        name: "latchkey", summary: "keep secrets behind a fingerprint or a password", commands: commands)

    /// The names under which other programs call the command, as links to it, each with the words that it stands for.
    static let links: [(name: String, words: [String])] = [
        ("git-credential-latchkey", [GitCredentialCommand.declaration.name]),
        ("docker-credential-latchkey", [DockerCredentialCommand.declaration.name]),
        ("latchkey-askpass", [AskpassCommand.declaration.name, "--"]),  // a prompt may begin with a hyphen
    ]

    /// The words of the command line, after those that the name of the called link stands for.
    package static var words: [RawText] {
        let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { RawText(cString: $0) } }
        let called = words.first?.text.split(separator: "/").last.map(String.init)
        return (links.first { $0.name == called }?.words ?? []).map { RawText($0) } + words.dropFirst()
    }

    /// Begins the process of a program.
    package static func begin() {
        CrashSafety.begin()
        Output.reserveDescriptors()
    }

    /// Runs a command line of a program, and exits if that fails.
    package static func run(_ program: Declaration, _ words: [RawText]) {
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
