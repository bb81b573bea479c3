/// What the scripts for all shells have in common.
enum Shell {
    /// Prints the names of all secrets, a line each, and asks nobody.
    static let secrets = "command latchkey list --names 2>/dev/null </dev/null"
    /// Prints the names of all who are enrolled.
    static let enrolled = "command latchkey biometry list --names 2>/dev/null </dev/null"

    /// The text as one word of bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// The texts as words.
    static func quoted(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: " ") }

    /// The text with a backslash before each of `characters`.
    static func escaped(_ text: String, _ characters: Set<Character>) -> String {
        String(text.flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
    }

    /// How commands are told apart in the scripts: their names, with spaces between.
    static func key(_ path: [String]) -> String { path.joined(separator: " ") }
}

extension Declaration {
    /// The options that take a value, by all their names.
    var valued: [String] { allOptions.filter { $0.value != nil }.flatMap(\.names) }

    /// The options that stand alone, by all their names.
    var alone: [String] { allOptions.filter { $0.value == nil }.flatMap(\.names) }

    /// Where its command line begins, counted from one; nought where it takes none.
    var lineBegins: Int { (operands.firstIndex { $0.isCommandLine } ?? -1) + 1 }
}
