internal import PlainText

/// A parser of command lines, which follows the declaration of a program.
package struct Arguments {
    /// The path to the command that was reached so far, beginning with the program.
    package private(set) var path: [Declaration]
    /// The options and operands that were read so far.
    package private(set) var typed = TypedWords()

    private var bound: BoundOptions
    private var wantsHelp = false

    /// Creates a parser for the command lines of `program`.
    package init(_ program: Declaration) {
        path = [program]
        bound = program.bind()
    }

    /// The command that was reached so far.
    package var command: Declaration { path[path.count - 1] }

    /// Parses all words. Returns a closure that runs the command; nil if the words ask for help.
    ///
    /// - Throws: A ``UsageError`` at the first word or value that is wrong. ``path`` then still leads to its command.
    package mutating func understand(_ words: some Sequence<String>) throws(UsageError) -> (
        @Sendable () throws -> String
    )? {
        try understand(words.map { RawText($0) })
    }

    /// Parses words as the system passes them, which need not be UTF-8.
    package mutating func understand(_ words: [RawText]) throws(UsageError) -> (@Sendable () throws -> String)? {
        try parse(words[...])
        if wantsHelp { return nil }
        try checkWords()
        return try bound.understand(typed, of: path[0])
    }

    /// True if only names of commands were typed so far.
    private var isBare: Bool { typed.options.isEmpty && typed.words.isEmpty }

    /// True if a command has to follow.
    private var needsCommand: Bool { !command.commands.isEmpty && command.operands.isEmpty }

    private mutating func parse(_ words: ArraySlice<RawText>) throws(UsageError) {
        var words = words
        while let raw = words.popFirst() {
            let word = raw.text
            if word == "--" {
                if needsCommand { throw UsageError("a command has to come before --") }
                typed.words += words
                return
            }
            if word.hasPrefix("-") && word != "-" {
                try parseOption(raw, &words)
                if wantsHelp { return }
            } else if isBare && (needsCommand || command.commands.contains { $0.name == word }) {
                if !command.commands.contains(where: { $0.name == word }), let said = command.pointer(raw) {
                    throw UsageError(said)
                }
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
            if let place = placeBelow(of: written, words) {
                throw UsageError("\(written) goes after the command: \(place)")
            }
            if let name = command.otherWords[written] { throw UsageError(unknown: "option", written, meaning: name) }
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

    /// Returns a command line with an option of the commands below this one in its place; nil if none of them has it. A command
    /// that follows in `words` comes first.
    private func placeBelow(of option: String, _ words: ArraySlice<RawText>) -> String? {
        let having = command.commands.filter { $0.allOptions.contains { $0.names.contains(option) } }
        let meant = words.lazy.compactMap { word in having.first { $0.name == word.text } }.first ?? having.first
        return meant.map { "\(path.map(\.name).joined(separator: " ")) \($0.name) \(option)" }
    }

    /// Throws if a word is not UTF-8 and so cannot become a text unchanged.
    private func requireText(_ word: RawText, of place: String) throws(UsageError) {
        if !word.isText {
            throw UsageError("\(place) has to be UTF-8, and \"\(Terminal.word(word.text))\" is not")
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
            throw UsageError("unexpected word \"\(Terminal.word(words[command.operands.count].text))\"")
        }
        let needed = command.operands.filter { !$0.isOptional }
        if words.count < needed.count {
            let missing = needed[words.count]
            throw UsageError(missing.ifMissing ?? "\(missing.name) is missing")
        }
        if needsCommand && isBare {
            let names = command.commands.map(\.name)
            throw UsageError("name a command" + (names.count > 6 ? "" : ": \(enumerated(names))"))
        }
    }
}
