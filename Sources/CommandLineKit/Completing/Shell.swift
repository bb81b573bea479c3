/// The common parts of the scripts for all shells.
package enum Shell {
    /// Returns a command that prints the names of a list, a line each. It cannot prompt, and says nothing if it fails.
    static func names(of list: NameList) -> String { "command latchkey \(list.command) 2>/dev/null </dev/null" }

    /// Returns the text as one word of any shell for people to read, with quotes only if it needs them.
    package static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "/_.@:+-".utf8.contains(byte)
        }
        return isPlain ? text : quoted(text)
    }

    /// Returns the text as one word of bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns the texts as words.
    static func quoted(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: " ") }

    /// Returns the text with a backslash before each of `characters`.
    static func escaped(_ text: String, _ characters: Set<Character>) -> String {
        String(text.flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
    }

    /// Returns the word by which scripts tell commands apart: their names, with spaces between.
    static func key(_ path: [String]) -> String { path.joined(separator: " ") }
}

extension Declaration {
    /// Every list of names that words or values of its commands are completed from, each once.
    var nameLists: [NameList] {
        var lists: [NameList] = []
        for (_, command) in everyCommand {
            for case .listed(let list) in command.operands.map(\.values) + command.allOptions.map(\.values)
            where !lists.contains(where: { $0.id == list.id }) {
                lists.append(list)
            }
        }
        return lists
    }

    /// The options that take a value, by all their names.
    var valued: [String] { allOptions.filter { $0.value != nil }.flatMap(\.names) }

    /// The options that stand alone, by all their names.
    var alone: [String] { allOptions.filter { $0.value == nil }.flatMap(\.names) }

    /// The place in which its command line begins, counted from one; zero if it takes none.
    var lineBegins: Int { (operands.firstIndex { $0.isCommandLine } ?? -1) + 1 }
}
