/// The words that a shell offers when it completes an operand or the value of an option.
package enum Values: Sendable {
    /// Any text; the shell offers nothing.
    case anything
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// One of these words.
    case words([String])
    /// One of these words, each with its meaning.
    case described([(word: String, says: String)])
    /// One of the names that a command of the program prints.
    case listed(NameList)
    /// A word of the user's own and an equals sign, and then one of the names that a command of the program prints.
    case assigned(NameList)
    /// The command line of another program.
    case command
    /// The name of a command of this program, then of the commands below it.
    case ownCommand
}

/// A list of names that only the running program knows, such as the stored secrets. Completion runs a command to get them.
package struct NameList: Sendable {
    /// The words after the program's name, such as `list --names`. The command returns one name per line and never prompts.
    package let command: String
    /// The options that the command takes over from the line that is completed, such as the vault whose names to list.
    package let options: [String]
    /// True if the command takes the first operand of the line that is completed, such as the secret whose fields to list.
    package let takesFirstWord: Bool

    package init(command: String, options: [String] = [], takesFirstWord: Bool = false) {
        self.command = command
        self.options = options
        self.takesFirstWord = takesFirstWord
    }
}
