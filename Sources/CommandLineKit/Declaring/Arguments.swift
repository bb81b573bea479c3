internal import PlainText

/// The words of a command line, understood by the declaration of a command.
package struct Arguments {
    /// The command that was reached so far, from the program itself on.
    package private(set) var path: [Declaration]
    /// The words, taken apart.
    package private(set) var typed = TypedWords()

    private var bound: BoundOptions
    private var wantsHelp = false

    /// Begins at the program that is declared.
    package init(_ program: Declaration) {
        path = [program]
        bound = program.bind()
    }

    /// The command that was reached.
    package var command: Declaration { path[path.count - 1] }

    /// Understands all words. Returns the rest of the work, which is to run the command; nil if the words ask for help.
    ///
    /// Throws if a word, or the value of an option, is not understood; `path` then still says of which command.
    package mutating func understand(_ words: some Sequence<String>) throws(UsageError) -> (
        @Sendable () throws -> String
    )? {
        try understand(words.map { RawText($0) })
    }

    /// Understands all words as the system has them.
    package mutating func understand(_ words: [RawText]) throws(UsageError) -> (@Sendable () throws -> String)? {
        try parse(words[...])
        if wantsHelp { return nil }
        try checkWords()
        return try bound.understand(typed, of: path[0])
    }

    /// True if nothing but commands was typed so far.
    private var isBare: Bool { typed.options.isEmpty && typed.words.isEmpty }

    private mutating func parse(_ words: ArraySlice<RawText>) throws(UsageError) {
        var words = words
        while let raw = words.popFirst() {
            let word = raw.text
            if word == "--" {
                if !command.commands.isEmpty { throw UsageError("name a command before --") }
                typed.words += words
                return
            }
            if word.hasPrefix("-") && word != "-" {
                try parseOption(raw, &words)
                if wantsHelp { return }
            } else if !command.commands.isEmpty && isBare {
                path.append(try command.command(called: word))
                bound = command.bind()
            } else {
                typed.words.append(raw)
                if command.operand(at: typed.words.count - 1)?.isCommandLine == true {
                    typed.words += words
                    return
                }
            }
        }
    }

    private mutating func parseOption(_ word: RawText, _ words: inout ArraySlice<RawText>) throws(UsageError) {
        let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { RawText($0) }
        let written = parts[0].text
        let known = [command.help] + bound.groups.flatMap(\.options)
        guard let option = known.first(where: { $0.names.contains(written) }) else {
            throw UsageError(unknown: "option", written, among: known.flatMap(\.names))
        }
        let name = option.name
        guard option.value != nil else {
            if parts.count > 1 { throw UsageError("\(written) takes no value") }
            typed.options[name] = []
            wantsHelp = wantsHelp || name == command.help.name
            return
        }
        guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
            throw UsageError("\(written) needs a value")
        }
        if typed.options[name] != nil && !option.isRepeated { throw UsageError("\(name) is given twice") }
        if !option.takesAnyBytes { try requireText(value, of: name) }
        typed.options[name, default: []].append(value)
    }

    /// Throws if a word would have to be altered to become a text.
    private func requireText(_ word: RawText, of place: String) throws(UsageError) {
        if !word.isText {
            throw UsageError("\(place) takes text in UTF-8, which \"\(Terminal.word(word.text))\" is not")
        }
    }

    private func checkWords() throws(UsageError) {
        let words = typed.words
        for (place, word) in words.enumerated() {
            guard let operand = command.operand(at: place), !operand.takesAnyBytes else { continue }
            try requireText(word, of: operand.name)
        }
        if !words.isEmpty && command.operand(at: words.count - 1) == nil {
            if let said = command.operands.last?.ifMore { throw UsageError(said) }
            throw UsageError("\"\(Terminal.word(words[command.operands.count].text))\" is one word too many")
        }
        let needed = command.operands.filter { !$0.isOptional }
        if words.count < needed.count {
            let missing = needed[words.count]
            throw UsageError(missing.ifMissing ?? "\(missing.name) is missing")
        }
        if !command.commands.isEmpty && isBare { throw UsageError("name a command") }
    }
}
