/// Words of commands for the user to type.
package enum ShellWord: Sendable {
    /// Returns a word as a shell reads it, safe to show at a terminal.
    package static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || "0123456789/._-+,:@%".utf8.contains(byte)
        }
        if plain && !text.isEmpty { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false).map { Terminal.line(String($0)) }
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
