internal import AgentProtocol
package import CommandLineKit
package import LinuxSystem

extension OwnProgram {
    /// The word that the program of the agent runs.
    package static let agentWord = "agent"

    /// Finds the program that runs a command line. A word that is no command is for the program that knows all of them.
    package init(running words: [RawText]) {
        let word = words.first?.text
        if word == Self.agentWord {
            self = .agent
        } else {
            self = Latchkey.commands.contains { $0.name == word } ? .command : .tools
        }
    }

    /// Lets the program take the place of this one in the same process, and run these words.
    package func takeOver(_ words: [RawText]) -> Never {
        let error = takeOver((self == .agent ? Array(words.dropFirst()) : words).map(\.bytes))
        // A status that no command has of its own: some say by 1 what they have found.
        Output.fail(path.map { "\($0): \(error)" } ?? absence, status: self == .agent ? ExitStatus.of(.agent) : 127)
    }
}
