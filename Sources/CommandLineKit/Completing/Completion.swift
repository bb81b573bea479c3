internal import PlainText

/// The completion of command lines, which follows the declaration of a program.
package struct Completion: Sendable {
    private let program: Declaration
    /// The folder that a leading `~` means.
    private let home: String

    package init(of program: Declaration, home: String) {
        self.program = program
        self.home = home
    }

    /// Returns the answer to the script of a shell, which runs the program as `complete SHELL -- WORD…`; nil for any other
    /// command line.
    package func answer(to words: [RawText]) -> String? {
        guard words.count > 3, words[0].text == "complete", words[2].text == "--",
            let shell = Shell(rawValue: words[1].text)
        else { return nil }
        let given = Array(words[3...])
        let lines: [String]
        if shell == .bash {
            guard let line = BashLine(given) else { return nil }
            lines = offers(for: line.words).lines(for: line)
        } else {
            lines = offers(for: given.map(\.pathText)).lines(for: shell)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the offers for the last of `words`, which begin with the name of the program.
    private func offers(for words: [String]) -> Offers {
        guard let word = words.last, let line = TypedLine(words.dropFirst().dropLast(), of: program) else {
            return Offers()
        }
        if let begins = line.begins { return Offers(.command, [], "\(begins)") }
        if let option = line.pending { return offers(option.values, option.value ?? "", word, line) }
        if line.takesOptions && word.hasPrefix("-") {
            guard let equals = word.firstIndex(of: "=") else { return line.options }
            guard let option = line.command.option(word[..<equals]), let value = option.value else { return Offers() }
            var offers = offers(option.values, value, String(word[equals...].dropFirst()), line)
            offers.prefix = word[...equals] + offers.prefix
            return offers
        }
        var offers = line.command.commandOffers
        let mayBeCommand = line.operands.isEmpty && offers.words.contains { $0.word.hasPrefix(word) }
        if !mayBeCommand, let operand = line.command.operand(at: line.operands.count) {
            offers = self.offers(operand.values, operand.name, word, line)
        }
        let isEmpty = offers.kind == .words && offers.words.isEmpty
        return isEmpty && word.isEmpty && line.takesOptions ? line.options : offers
    }

    /// Returns the offers for a `word` that is one of `values`. Each of these is a `noun`.
    private func offers(_ values: Values, _ noun: String, _ word: String, _ line: TypedLine) -> Offers {
        switch values {
        case .anything: return Offers()
        case .file: return Offers(.file)
        case .folder: return Offers(.directory)
        case .words(let words): return Offers(.words, words.map { ($0, "") }, noun)
        case .described(let words): return Offers(.words, words, noun)
        case .listed(let list): return Offers(.words, names(list, line), noun)
        case .assigned(let list):
            guard let equals = word.firstIndex(of: "=") else { return Offers() }
            var offers = Offers(.words, names(list, line), noun)
            offers.prefix = String(word[...equals])
            return offers
        case .command: return Offers(.command, [], "\(line.count)")
        case .ownCommand: return (try? program.path(to: line.operands))?.last?.commandOffers ?? Offers()
        }
    }

    /// Returns the names that a command of the program prints. It never prompts, and if it fails, there are none.
    private func names(_ list: NameList, _ line: TypedLine) -> [(word: String, says: String)] {
        var words = list.command.split(separator: " ").map(String.init)
        for (option, value) in line.values where list.options.contains(option) {
            words += [option, value.hasPrefix("~/") ? home + value.dropFirst() : value]
        }
        if list.takesFirstWord { words += ["--"] + line.operands.prefix(1) }
        var arguments = Arguments(program)
        let printed = try? arguments.understand(words.map { RawText(PathText.bytes($0)) })?()
        return (printed ?? "").split(separator: "\n").map { (String($0), "") }
    }
}

/// The words before the one that the user is typing.
private struct TypedLine {
    private(set) var command: Declaration
    private(set) var operands: [String] = []
    /// The options by their long forms, each with its value; an empty one if it takes none.
    private(set) var values: [(option: String, value: String)] = []
    /// The option whose value comes next.
    private(set) var pending: OptionFacts?
    /// False after `--`.
    private(set) var takesOptions = true
    /// The number of words, with the name of the program.
    private(set) var count = 1
    /// The number of the word with which the command line of another program begins.
    private(set) var begins: Int?

    /// Reads the words after the name of the program. Fails if there is no such command.
    init?(_ words: some Sequence<String>, of program: Declaration) {
        command = program
        for word in words where begins == nil {
            if let option = pending {
                values.append((option.name, word))
                pending = nil
            } else if takesOptions && word == "--" {
                takesOptions = false
            } else if takesOptions && word.hasPrefix("-") && word != "-" {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if let option = command.option(parts[0]) {
                    if option.value != nil && parts.count == 1 {
                        pending = option
                    } else {
                        values.append((option.name, parts.dropFirst().joined()))
                    }
                }
            } else if operands.isEmpty, let next = command.commands.first(where: { $0.name == word }) {
                command = next
            } else if command.commands.isEmpty || !command.operands.isEmpty {
                if command.operand(at: operands.count)?.isCommandLine == true { begins = count }
                operands.append(word)
            } else {
                return nil
            }
            count += 1
        }
    }

    /// The options that may come next.
    var options: Offers {
        let left = command.allOptions.filter { option in
            option.isRepeated || !values.contains { $0.option == option.name }
        }
        return Offers(.words, left.flatMap { option in option.names.map { ($0, option.says) } }, "option")
    }
}

extension Declaration {
    /// Returns the option with this spelling.
    fileprivate func option(_ name: Substring) -> OptionFacts? {
        allOptions.first { $0.names.contains(String(name)) }
    }

    fileprivate var commandOffers: Offers { Offers(.words, commands.map { ($0.name, $0.summary) }, "command") }
}
