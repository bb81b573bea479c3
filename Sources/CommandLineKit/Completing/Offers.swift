/// The offers for a word that the user is typing.
struct Offers {
    enum Kind: String {
        /// Words, each with its meaning, or an empty one.
        case words
        /// Paths, which only the shell knows.
        case file, directory
        /// Whatever completes the command line of another program.
        case command
    }

    let kind: Kind
    let words: [(word: String, says: String)]
    /// The noun for one of the words, or the number of the word with which the command line of the other program begins.
    let detail: String
    /// The beginning of the word, up to an equals sign, that comes before every offer.
    var prefix = ""

    init(_ kind: Kind = .words, _ words: [(word: String, says: String)] = [], _ detail: String = "") {
        self.kind = kind
        self.words = words
        self.detail = detail
    }

    /// Returns the lines that the script of zsh or fish reads.
    func lines(for shell: Shell) -> [String] {
        // zsh takes the beginning off the word by the number of equals signs, because it may be quoted there.
        let isZsh = shell == .zsh
        return [kind.rawValue, isZsh ? "\(prefix.count { $0 == "=" })" : prefix, detail]
            + words.map { (isZsh ? "" : prefix) + $0.word + ($0.says.isEmpty ? "" : "\t" + $0.says) }
    }

    /// Returns the lines that the script of bash reads: the words as bash inserts them; or an action of `compgen`, the beginning that
    /// it puts before each path, the path so far, what bash does not replace, and where the other program begins.
    func lines(for line: BashLine) -> [String] {
        if kind == .words { return ["words"] + words.compactMap { line.inserted(prefix + $0.word) } }
        let last = line.words.count - 1
        let other = kind == .command ? Int(detail) : nil
        let action = other.map { $0 == last ? .command : .file } ?? kind
        let path = String(line.words[last].dropFirst(prefix.count))
        // bash reads one text a line, and a function of its package calculates with the number: a typed line feed must move none.
        if [prefix, path, line.kept].contains(where: { $0.utf8.contains(0x0A) }) { return ["words"] }
        return [action.rawValue, prefix, path, line.kept, other.map { "\(line.starts[$0])" } ?? ""]
    }
}
