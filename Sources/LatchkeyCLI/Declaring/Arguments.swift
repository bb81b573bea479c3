internal import PlainText

/// The words of a command line, understood by what a command declares.
package struct Arguments {
    /// The command that was reached so far, from the program itself on.
    package private(set) var path: [Declaration]
    /// True if somebody asked what it takes.
    package private(set) var wantsHelp = false
    /// What it is given.
    package private(set) var given = Given()

    /// Nothing so far, of the program that is declared.
    package init(_ program: Declaration) { path = [program] }

    /// The command that was reached.
    package var command: Declaration { path[path.count - 1] }

    /// Takes all words. Where one is not understood, `path` still says of which command.
    package mutating func take(_ words: some Sequence<String>) throws(UsageError) {
        try take(words.map { RawText($0) })
    }

    /// Takes all words as the system has them.
    package mutating func take(_ words: [RawText]) throws(UsageError) {
        var words = words[...]
        while let raw = words.popFirst() {
            let word = raw.text
            if word == "--" {
                if !command.commands.isEmpty { throw UsageError("name a command before --") }
                given.rawWords += words
                break
            }
            if word.hasPrefix("-") && word != "-" {
                try takeOption(raw, &words)
                if wantsHelp { return }
            } else if !command.commands.isEmpty && given.set.isEmpty && given.rawValues.isEmpty {
                try descend(word)
            } else {
                given.rawWords.append(raw)
                if command.operand(at: given.rawWords.count - 1)?.isCommandLine == true {
                    given.rawWords += words
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

    private mutating func takeOption(_ word: RawText, _ words: inout ArraySlice<RawText>) throws(UsageError) {
        let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { RawText($0) }
        let written = parts[0].text
        let known = command.allOptions
        guard let option = known.first(where: { $0.names.contains(written) }) else {
            throw UsageError(unknown: "option", written, among: known.flatMap(\.names))
        }
        let name = option.names[0]
        guard option.value != nil else {
            if parts.count > 1 { throw UsageError("\(written) takes no value") }
            given.set.insert(name)
            wantsHelp = wantsHelp || name == command.help.names[0]
            return
        }
        guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
            throw UsageError("\(written) needs a value")
        }
        if given.rawValues[name] != nil && !option.isRepeated { throw UsageError("\(name) is given twice") }
        if !option.takesAnyBytes { try requireText(value, of: name) }
        given.rawValues[name, default: []].append(value)
    }

    /// Throws where a word would have to be altered to become a text.
    private func requireText(_ word: RawText, of place: String) throws(UsageError) {
        if !word.isText {
            throw UsageError("\(place) takes text in UTF-8, which \"\(Terminal.word(word.text))\" is not")
        }
    }

    private func checkWords() throws(UsageError) {
        let words = given.words
        for (place, word) in given.rawWords.enumerated() {
            guard let operand = command.operand(at: place), !operand.takesAnyBytes else { continue }
            try requireText(word, of: operand.name)
        }
        if !words.isEmpty && command.operand(at: words.count - 1) == nil {
            if let said = command.operands.last?.ifMore { throw UsageError(said) }
            throw UsageError("\"\(Terminal.word(words[command.operands.count]))\" is one word too many")
        }
        let needed = command.operands.filter { !$0.isOptional }
        if words.count < needed.count {
            let missing = needed[words.count]
            throw UsageError(missing.ifMissing ?? "\(missing.name) is missing")
        }
        if !command.commands.isEmpty && given.set.isEmpty && given.rawValues.isEmpty {
            throw UsageError("name a command")
        }
    }
}
