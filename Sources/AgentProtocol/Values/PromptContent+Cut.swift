internal import PlainText
package import Prompts

extension PromptContent {
    /// The length at which a terminal cuts a text of a prompt.
    private static let longestShown = 300
    /// The most notes that a terminal shows.
    package static let mostNotes = 8

    /// Returns the prompt with its texts cut to what a terminal shows.
    package func cutToShown() -> PromptContent {
        var content = self
        content.app = Self.cut(app)
        content.reason = Self.cut(reason)
        content.secret = secret.map { Self.cut($0) }
        content.notes = notes.prefix(Self.mostNotes).map { Self.cut($0) }
        if let caller {
            content.caller = Caller(
                path: caller.path.map { Self.cut($0) }, process: caller.process, name: caller.name.map { Self.cut($0) })
        }
        return content
    }

    private static func cut(_ text: String) -> String {
        text.unicodeScalars.count <= longestShown ? text : Terminal.sentence(text, longest: longestShown)
    }
}
