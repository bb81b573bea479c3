internal import PlainText
package import PolicyScenarios
package import ScenarioFormat

/// Writes workflow commands, with which GitHub marks the lines of a change.
package struct GitHubReport: Report {
    private var human = HumanReport(colored: false, namesAll: false)

    package init() {}

    package mutating func begin(_ count: Int) -> String { "" }

    /// Returns an error at the place of a failure.
    package mutating func add(_ result: ScenarioResult) -> String {
        if result.passed { return "" }
        let position = result.failure?.findings.first?.position ?? result.trouble?.position ?? result.scenario.position
        let lines = result.complaint.map { "\($0.heading): \($0.text)" }
        return Self.command("error", position, title: result.scenario.name, lines.joined(separator: "\n"))
    }

    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        human.end(summary, mutation: mutation)
    }

    /// Returns the command that marks a place of a file.
    package static func command(_ kind: String, _ position: Position, title: String, _ message: String) -> String {
        "::\(kind) file=\(property(position.file)),line=\(position.line),col=\(position.column),title=\(property(title))::\(data(message))\n"
    }

    /// Returns `text` escaped for the message of a command.
    static func data(_ text: String) -> String {
        // A percent sign before an invisible or combining character is one character with it, and still begins an escape.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: Terminal.line(String(scalar))
            }
        }.joined()
    }

    /// Returns `text` escaped for a property of a command.
    static func property(_ text: String) -> String {
        data(text).unicodeScalars.map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
    }
}
