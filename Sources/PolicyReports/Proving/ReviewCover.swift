internal import PlainText

/// The facts at the head of a report: its title, and what its readers need to know of it.
package struct ReviewCover: Sendable {
    /// The heading.
    let title: String
    /// The facts that the author states, each with its name.
    private let stated: [(name: String, words: String)]
    private let program: String

    /// Creates a cover. `subject` is the name of the file, or of the policy if there is no file. `program` is the version of Latchkey.
    ///
    /// A fact that is nil is left out. A title that is nil is made of the subject.
    package init(
        of subject: String, title: String? = nil, scope: String? = nil, reviewedVersion: String? = nil,
        author: String? = nil, date: String? = nil, program: String
    ) {
        self.title = Terminal.line(title ?? "Review: \(subject)")
        self.program = program
        stated = [("Scope", scope), ("Version", reviewedVersion), ("Author", author), ("Date", date)].compactMap {
            name, words in words.map { (name, Terminal.line($0)) }
        }
    }

    /// Every fact, with what the report covers and the program that made it.
    func facts(covering contents: String) -> [(name: String, words: String)] {
        stated + [("Covers", contents), ("Made with", "Latchkey \(program)")]
    }
}
