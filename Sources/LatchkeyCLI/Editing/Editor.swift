internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SodiumKit

/// The user's editor, which changes a secret in a file in memory.
enum Editor {
    /// Returns the secret as the user has edited it; nil if it is unchanged. The file is removed in any case, and also if a signal
    /// ends this process meanwhile.
    ///
    /// - Throws: `CommandError` if the editor does not start or fails, or leaves an empty file.
    static func edit(_ secret: borrowing SecureBytes) throws -> SecureBytes? {
        // The variable may hold options too.
        let command = variable("VISUAL") ?? variable("EDITOR") ?? "vi"
        // A shell reads it, and becomes the editor, which signals then reach.
        let editor = FileChanger(
            name: "the editor", path: "/bin/sh", words: ["sh", "-c", "exec \(command) \"$@\"", command],
            otherWay: "run `latchkey edit` without --editor")
        let edited = try EditedFile.changing(secret, by: editor) { path in
            Output.confirm(
                "The editor gets the secret in \(path), which lies in memory and is removed afterwards. latchkey cannot "
                    + "remove what the editor itself keeps: its memory, swap files, backups and undo files elsewhere.")
        } check: { status in
            guard status == 0 else {
                let end =
                    status & 0x7F == 0 ? "exited with \((status >> 8) & 0xFF)" : "was ended by signal \(status & 0x7F)"
                throw CommandError(
                    "the editor `\(Terminal.line(command))` \(end), and nothing was saved: set VISUAL to another one")
            }
        }
        return try changed(edited, from: secret)
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the new secret; nil if it equals the old one. If only the new one ends with a line feed, the editor has added it.
    private static func changed(
        _ edited: consuming SecureBytes, from former: borrowing SecureBytes
    ) throws -> SecureBytes? {
        if edited.count == 0 { throw CommandError("the file was left empty, and nothing was saved") }
        let kept = SecretInput.endsLine(former) ? edited : try SecretInput.withoutLastNewline(edited)
        if kept.equals(former) { return nil }
        return kept
    }
}
