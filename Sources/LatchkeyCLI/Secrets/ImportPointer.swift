internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The way on from a word after `latchkey import` that is none of its formats.
enum ImportPointer {
    /// The programs that export a CSV file which `latchkey import csv` reads.
    private static let exporters: Set<String> = [
        "1password", "bitwarden", "brave", "chrome", "chromium", "dashlane", "edge", "enpass", "firefox", "kdbx",
        "keepass",
        "keepassxc", "lastpass", "nordpass", "onepassword", "protonpass", "roboform", "safari", "vaultwarden",
    ]

    /// Returns what to type instead of a word; nil if the word suggests nothing.
    static func words(_ word: RawText) -> String? {
        let name = word.text.lowercased()
        if exporters.contains(name) { return fromCSV }
        switch name {
        case "gopass", "password-store", ".password-store": return "the format is called pass: run latchkey import pass"
        case "keyring", "gnome-keyring", "kwallet", "secret-service", "libsecret":
            return "the format is called secret-tool: run latchkey import secret-tool ATTRIBUTE=VALUE"
        default: break
        }
        let shown = word.isText ? Shell.word(word.text) : nil
        var status = stat()
        let isThere = word.withCString { stat($0, &status) } == 0
        if isThere && status.st_mode & S_IFMT == S_IFDIR {
            return "name the format first: run latchkey import pass \(shown ?? "FOLDER")"
        }
        if name == "json" || name.hasSuffix(".json") || (isThere && holdsJSON(word)) {
            return "JSON is not read: " + fromCSV
        }
        if name.hasSuffix(".kdbx") { return fromCSV }
        guard isThere || name.hasSuffix(".csv") else { return nil }
        return "name the format first: run latchkey import csv \(shown ?? "FILE")"
    }

    private static let fromCSV =
        "export a CSV file from the other password manager, and run latchkey import csv FILE"

    /// Returns true if the file begins as JSON does. Only its first letters are read, and none is kept.
    private static func holdsJSON(_ file: RawText) -> Bool {
        let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        for _ in 0..<16 {
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { return false }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return true }
            if byte > UInt8(ascii: " ") { return false }
        }
        return false
    }
}
