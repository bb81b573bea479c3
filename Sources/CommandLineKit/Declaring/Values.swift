/// The words that fit in a place, for shells that complete it.
package enum Values: Sendable {
    case anything
    case file
    case folder
    case words([String])
    /// Names that a command of the program prints.
    case listed(NameList)
    /// A command line of another program.
    case command
    /// The name of a command of this program, and then of the commands below it.
    case ownCommand
}

/// Names that only a running program knows, such as those of the stored secrets. Completion asks one of its commands for them.
package struct NameList: Sendable {
    /// The word for the list in scripts, such as `secrets`.
    package let id: String
    /// The words for one of them, which zsh shows above the names.
    package let heading: String
    /// The words after the program's name, such as `list --names`. The command prints a name a line and prompts for nothing.
    package let command: String

    package init(id: String, heading: String, command: String) {
        self.id = id
        self.heading = heading
        self.command = command
    }
}
