internal import Glibc
internal import LinuxSystem
internal import PlainText
package import SodiumKit

/// A password store of `pass`: files `NAME.gpg`, each with a secret in its first line and notes below.
package struct PasswordStore: Sendable {
    /// A file in the store.
    package struct Entry: Hashable, Sendable {
        package let name: SecretName
        package let path: String
    }

    /// The files, in the natural order of their names.
    package let entries: [Entry]
    /// The files that are skipped, each with the reason.
    package let skipped: [String]

    /// Finds the files in `folder` without opening any. Links are skipped, because they may lead anywhere.
    ///
    /// - Throws: `ImportError` if a folder cannot be read.
    package init(folder: String) throws(ImportError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(folder, .last) }
        var walk = Walk(root: folder)
        try walk.look(into: descriptor, "", depth: 0)
        entries = walk.entries.sorted { $0.name < $1.name }
        skipped = walk.found.skipped
    }

    /// Decrypts every file with `decrypt`. The first line of a file is the secret. A user name, a URL and the rest as notes become
    /// fields, and the URI of one-time codes a secret of its own, called `otp`, in a folder with the name of the other one. A URI that
    /// gives no code stays in the notes. If `whole` is true, the whole file is the secret.
    ///
    /// - Throws: `ImportError` if a file cannot be decrypted.
    package func secrets(
        whole: Bool = false,
        decrypt: (String) throws(ImportError) -> SecureBytes = { (path) throws(ImportError) in
            try Self.decrypt(path)
        }
    ) throws(ImportError) -> ImportedSecrets {
        var found = ImportedSecrets()
        found.skipped = skipped
        let names = Set(entries.map(\.name))
        for entry in entries {
            let text = try decrypt(entry.path)
            // A file of its own for the codes stays what it is.
            let otp = try? SecretName("\(entry.name)/otp")
            let takesCodes = otp.map { !names.contains($0) } ?? false
            let (secrets, ofValue, ofLine) = try importing(
                text.withBytes { (bytes) throws(SodiumError) in
                    try Self.secrets(entry.name, bytes, whole, otp: takesCodes ? otp : nil)
                })
            if secrets[0].secret.count == 0 {
                found.skipped.append("\(entry.name): its first line is empty")
                continue
            }
            found.secrets += secrets
            if let ofValue {
                found.skipped.append(
                    "the one-time codes of \(entry.name), whose first line stays its value: \(ofValue)")
            }
            if let ofLine {
                found.skipped.append("\(entry.name)/otp, whose line stays in the notes of \(entry.name): \(ofLine)")
            }
        }
        return found
    }

    /// Decrypts a file with `gpg`, in the environment of this process with `changes`. The agent of gpg asks for the passphrase.
    ///
    /// - Throws: `ImportError` if `gpg` cannot be started, or fails.
    package static func decrypt(_ path: String, changes: [String: String] = [:]) throws(ImportError) -> SecureBytes {
        do {
            return try ProgramOutput.read(["gpg", "--quiet", "--batch", "--decrypt", "--", path], changes: changes)
        } catch {
            guard case .failed(_, let end) = error else { throw error }
            throw .failed("gpg on \(path)", end)
        }
    }

    /// Returns the secret of a file, and the one of its one-time codes if it has any and `otp` is their name; and the reasons why
    /// a URI on the first line, and one on another line, give no codes.
    private static func secrets(
        _ name: SecretName, _ bytes: RawSpan, _ whole: Bool, otp: SecretName?
    ) throws(SodiumError) -> ([ImportedSecret], ofValue: OneTimeCodeError?, ofLine: OneTimeCodeError?) {
        if whole { return ([ImportedSecret(name: name, secret: try SecureBytes(copying: bytes))], nil, nil) }
        let end = endOfLine(bytes)
        // Some editors end a line with carriage return and line feed.
        let isDoubled = end > 0 && bytes.byte(at: end - 1) == 0x0D
        let rest = bytes.extracting(Swift.min(end + 1, bytes.byteCount)..<bytes.byteCount)
        var below = try PassText(rest, takesCodes: otp != nil)
        let first = bytes.extracting(first: isDoubled ? end - 1 : end)
        let ofValue = first.starts(with: "otpauth://") ? OneTimeSeed.mistake(in: first) : nil
        let secret = ImportedSecret(name: name, secret: try SecureBytes(copying: first), fields: below.fields)
        let ofLine = below.mistake
        guard let otp, let codes = below.takeCodes() else { return ([secret], ofValue, ofLine) }
        return ([secret, ImportedSecret(name: otp, secret: codes)], ofValue, ofLine)
    }

    private static func endOfLine(_ bytes: RawSpan) -> Int {
        for place in 0..<bytes.byteCount where bytes.byte(at: place) == 0x0A { return place }
        return bytes.byteCount
    }
}

/// A walk through a folder and its subfolders.
private struct Walk {
    let root: String
    var entries: [PasswordStore.Entry] = []
    var found = ImportedSecrets()

    /// The names that `pass` and git use for files without secrets.
    private static let others: Set<String> = [".", "..", ".git", ".extensions", ".public-keys"]
    private static let deepest = 100

    /// Looks through a folder. Closes `descriptor` in the end.
    mutating func look(into descriptor: Int32, _ path: String, depth: Int) throws(ImportError) {
        guard let folder = fdopendir(descriptor) else {
            close(descriptor)
            throw unreadable(path)
        }
        defer { closedir(folder) }
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw unreadable(path) }
                return
            }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                found.skipped.append("a file in \(Terminal.line("\(root)/\(path)")) whose name is not UTF-8")
                continue
            }
            if !Self.others.contains(name) { try look(at: name, in: descriptor, path, depth: depth) }
        }
    }

    private mutating func look(at name: String, in folder: Int32, _ path: String, depth: Int) throws(ImportError) {
        let below = path.isEmpty ? name : "\(path)/\(name)"
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw unreadable(below) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            guard depth < Self.deepest else {
                found.skipped.append("\(Terminal.line(below)): nested deeper than \(Self.deepest) folders")
                return
            }
            let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw unreadable(below) }
            try look(into: descriptor, below, depth: depth + 1)
        case S_IFREG where name.hasSuffix(".gpg") && name != ".gpg":
            let secret = try found.name(folder: path, title: String(name.dropLast(4)))
            entries.append(PasswordStore.Entry(name: secret, path: "\(root)/\(below)"))
        case S_IFLNK: found.skipped.append("\(Terminal.line(below)): a link")
        default: break
        }
    }

    private func unreadable(_ path: String) -> ImportError {
        .unreadable("\(root)/\(path)", .last)
    }
}
