/// A shell that completes command lines of the program.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script by which the shell asks the program what to offer: see ``Completion/answer(to:)``.
    package var script: String {
        let script =
            switch self {
            case .bash: PackageResources.completion_bash
            case .zsh: PackageResources.completion_zsh
            case .fish: PackageResources.completion_fish
            }
        return String(decoding: script, as: UTF8.self)
    }

    /// Returns `text` as one word of any shell, in quotation marks only if it needs them.
    package static func word(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns true if a byte means itself everywhere in a word of any shell.
    static func isPlain(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "/_.@:+-".utf8.contains(byte)
    }
}
