internal import PolicyScenarios

/// The words of a command line, understood by what a command declares.
package struct Arguments {
    /// The command that was reached so far, from the program itself on.
    package private(set) var path: [Declaration]
    /// Whether somebody asked what it takes.
    package private(set) var wantsHelp = false
    /// What it is given.
    package private(set) var given = Given()

    /// Nothing so far, of the program that is declared.
    package init(_ program: Declaration) { path = [program] }

    /// The command that was reached.
    package var command: Declaration { path[path.count - 1] }

    /// Takes all words. Where one is not understood, `path` still says of which command.
    package mutating func take(_ words: some Sequence<String>) throws(UsageError) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                if !command.commands.isEmpty { throw UsageError("name a command before --") }
                given.words += words
                break
            }
            if word.hasPrefix("-") && word != "-" {
                try takeOption(word, &words)
                if wantsHelp { return }
            } else if !command.commands.isEmpty && given.set.isEmpty && given.values.isEmpty {
                try descend(word)
            } else {
                given.words.append(word)
                if command.operand(at: given.words.count - 1)?.isCommandLine == true {
                    given.words += words
                    break
                }
            }
        }
        try checkWords()
    }

    private mutating func descend(_ word: String) throws(UsageError) {
        guard let next = command.commands.first(where: { $0.name == word }) else {
            throw UsageError(unknown: "command", word, among: command.commands.map(\.name))
        }
        path.append(next)
    }

    private mutating func takeOption(_ word: String, _ words: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let known = command.allOptions
        guard let option = known.first(where: { $0.names.contains(parts[0]) }) else {
            throw UsageError(unknown: "option", parts[0], among: known.flatMap(\.names))
        }
        let name = option.names[0]
        guard option.value != nil else {
            if parts.count > 1 { throw UsageError("\(parts[0]) takes no value") }
            given.set.insert(name)
            wantsHelp = wantsHelp || name == command.help.names[0]
            return
        }
        guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
            throw UsageError("\(parts[0]) needs a value")
        }
        if given.values[name] != nil && !option.isRepeated { throw UsageError("\(name) is given twice") }
        given.values[name, default: []].append(value)
    }

    private func checkWords() throws(UsageError) {
        let words = given.words
        if !words.isEmpty && command.operand(at: words.count - 1) == nil {
            if let said = command.operands.last?.ifMore { throw UsageError(said) }
            throw UsageError("\"\(shown(words[command.operands.count]))\" is one word too many")
        }
        let needed = command.operands.filter { !$0.isOptional }
        if words.count < needed.count {
            let missing = needed[words.count]
            throw UsageError(missing.ifMissing ?? "\(missing.name) is missing")
        }
        if !command.commands.isEmpty && given.set.isEmpty && given.values.isEmpty {
            throw UsageError("name a command")
        }
    }
}
