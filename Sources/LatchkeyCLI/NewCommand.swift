internal import Glibc
internal import PolicyScenarios

/// `latchkey new`
enum NewCommand {
    private static let help = """
        usage: latchkey new [FILE]

        Writes a scenario to begin with into FILE, which must not exist yet, or to standard output. It passes, and its
        comments say what can be changed: latchkey test FILE plays it.

        """

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (_, set, words) = try arguments.options(withValue: [], alone: ["--help", "-h"], takesWords: true)
        if !set.isEmpty { return help }
        if words.count > 1 { throw UsageError("one file at a time is written") }
        guard let path = words.first, path != "-" else { return Starter.text }
        if let trouble = OutputFile.create(path, with: Starter.text) { Output.fail(trouble, status: 1) }
        return "\(printable(path)) is written; to play it: latchkey test \(printable(path))\n"
    }
}
