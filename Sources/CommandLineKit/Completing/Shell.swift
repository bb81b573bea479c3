/// The parts that the scripts of all shells share.
package enum Shell {
    /// Returns a command that prints the names of a list, one per line. It calls a function of the script, which takes
    /// over options of the line. It cannot prompt, and fails silently. `first` is the first operand of the line, as the shell
    /// writes it.
    static func names(of list: NameList, first: String) -> String {
        "\(lister) \(list.command)" + (list.takesFirstWord ? " \(first)" : "")
    }

    /// The function of the scripts that prints names.
    static let lister = "__latchkey_names"

    /// Returns `text` as one word of any shell, in quotation marks only if it needs them.
    package static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "/_.@:+-".utf8.contains(byte)
        }
        return isPlain ? text : quoted(text)
    }

    /// Returns `text` as one quoted word of bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns texts as quoted words of bash and zsh, with spaces between them.
    static func quoted(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: " ") }

    /// Returns `text` with a backslash before each of `characters`.
    static func escaped(_ text: String, _ characters: Set<Character>) -> String {
        String(text.flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
    }

    /// Returns the key of a command in the scripts: the names that lead there, with spaces between them.
    static func key(_ path: [String]) -> String { path.joined(separator: " ") }
}

extension Declaration {
    /// Every list of names that completes an operand or an option of any command, each once.
    var nameLists: [NameList] {
        var lists: [NameList] = []
        for (_, command) in everyCommand {
            for values in command.operands.map(\.values) + command.allOptions.map(\.values) {
                guard let list = values.list, !lists.contains(where: { $0.id == list.id }) else { continue }
                lists.append(list)
            }
        }
        return lists
    }

    /// The options that lists of names take over from the line.
    var listOptions: [String] {
        nameLists.flatMap(\.options).reduce(into: []) { all, name in if !all.contains(name) { all.append(name) } }
    }

    /// All spellings of the options with a value.
    var valued: [String] { allOptions.filter { $0.value != nil }.flatMap(\.names) }

    /// All spellings of the options without a value.
    var alone: [String] { allOptions.filter { $0.value == nil }.flatMap(\.names) }

    /// The place, counted from one, at which a command line of another program begins; zero if the command takes none.
    var lineBegins: Int { (operands.firstIndex { $0.isCommandLine } ?? -1) + 1 }
}

extension Values {
    /// The list of names that the shell offers; nil if it offers something else.
    fileprivate var list: NameList? {
        switch self {
        case .listed(let list), .assigned(let list): list
        case .anything, .file, .folder, .words, .described, .command, .ownCommand: nil
        }
    }
}
