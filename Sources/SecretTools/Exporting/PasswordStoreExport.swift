internal import Glibc
internal import LinuxSystem
internal import PlainText
package import SodiumKit

/// A password store of `pass` that secrets are written to. `gpg` encrypts each for the recipients of its folder.
package struct PasswordStoreExport: Sendable {
    private let folder: String
    private let given: [String]

    /// The file that names the recipients of a folder, one on each line.
    private static let recipientFile = ".gpg-id"

    /// Checks that `gpg` can encrypt for the recipients of the store.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store, which need not exist.
    ///   - recipients: The recipients of a new store; empty for one that has its own.
    /// - Throws: `ExportError` if the store has no recipients, or other ones, or `gpg` does not know them.
    package init(folder: String, recipients: [String]) throws(ExportError) {
        self.folder = folder
        given = recipients
        let own = try Self.recipients(in: folder)
        if own != nil && !given.isEmpty { throw .ownRecipients(folder) }
        guard let known = own ?? (given.isEmpty ? nil : given) else { throw .noRecipient(folder) }
        let nothing: SecureBytes
        do { nothing = try SecureBytes(count: 0) } catch { throw .memory(error) }
        _ = try Self.encrypt(nothing, for: known)
    }

    /// Returns the file of a secret: its first line is the secret, and the notes and the comment follow. A secret of
    /// several lines is a file by itself.
    package static func contents(of secret: ExportedSecret) throws(ExportError) -> SecureBytes {
        do {
            guard secret.secret.withBytes({ $0.isOneLine }) else { return try secret.secret.copy() }
            var file = try SecureBuffer(capacity: secret.secret.count + 256)
            try secret.secret.withBytes { (bytes) throws(SodiumError) in try file.append(bytes) }
            try file.append(0x0A)
            let parts = secret.parts
            let lines = [
                ("login", FieldName.user, parts.user), ("url", FieldName.url, parts.url),
                ("comment", "", secret.restOfComment),
            ]
            for (label, field, text) in lines {
                if let field = secret.field(field) {
                    for byte in "\(label): ".utf8 { try file.append(byte) }
                    try field.bytes.withBytes { (bytes) throws(SodiumError) in try file.append(bytes) }
                    try file.append(0x0A)
                } else if !text.isEmpty {
                    for byte in "\(label): \(Terminal.line(text))\n".utf8 { try file.append(byte) }
                }
            }
            if let notes = secret.field(FieldName.notes) {
                try notes.bytes.withBytes { (bytes) throws(SodiumError) in try file.append(bytes) }
            }
            switch secret.notes {
            case .some(let notes): try notes.withBytes { (bytes) throws(SodiumError) in try file.append(bytes) }
            case .none: break
            }
            return try file.bytes()
        } catch { throw .memory(error) }
    }

    /// The names that `pass` and git use for files without secrets.
    private static let others: Set<Substring> = [".git", ".extensions", ".public-keys"]

    /// Returns the reason why a store cannot have a secret of this name; nil if it can.
    package static func fault(of name: SecretName) -> String? {
        // A file is written under its name with 11 more bytes.
        if name.parts.contains(where: { $0.utf8.count > 255 - 11 }) { return "its name is too long for a file" }
        if name.parts.contains(where: { others.contains($0) }) { return "pass keeps other files under this name" }
        return nil
    }

    /// A file of the store, encrypted.
    package struct File: Sendable {
        package let name: SecretName
        let bytes: [UInt8]
    }

    /// Encrypts the file of a secret. Nothing is written yet.
    package func file(_ contents: consuming SecureBytes, of name: SecretName) throws(ExportError) -> File {
        let bytes = try Self.encrypt(contents, for: try recipients(of: name))
        return File(name: name, bytes: bytes)
    }

    /// Returns true if the store has a file for a secret of this name.
    package func has(_ name: SecretName) -> Bool {
        var status = stat()
        return lstat(path(of: name), &status) == 0
    }

    /// Writes a file, and the folders above it. Throws if there is a file already.
    package func write(_ file: File) throws(ExportError) {
        try makeFolder(folder)
        if !given.isEmpty {
            let path = "\(folder)/\(Self.recipientFile)"
            do { try OutputFile.create(path, with: given.map { $0 + "\n" }.joined()) } catch {
                guard error.code == EEXIST else { throw .unwritable(path, error) }
            }
        }
        var parent = folder
        for part in file.name.parts.dropLast() {
            parent += "/\(part)"
            try makeFolder(parent)
        }
        let path = path(of: file.name)
        do {
            try OutputFile.createPrivate(path) { draft in
                file.bytes.withUnsafeBytes { Descriptors.write($0, to: draft) }
            }
        } catch { throw .unwritable(path, error) }
    }

    private func path(of name: SecretName) -> String { "\(folder)/\(name.text).gpg" }

    private func makeFolder(_ path: String) throws(ExportError) {
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw .unwritable(path, .last) }
    }

    /// Returns the recipients of the folder of a secret, or of the nearest folder above it that names some, as `pass` does.
    private func recipients(of name: SecretName) throws(ExportError) -> [String] {
        var below = name.parent
        while let folder = below {
            if let found = try Self.recipients(in: "\(self.folder)/\(folder.text)") { return found }
            below = folder.parent
        }
        return try Self.recipients(in: folder) ?? given
    }

    /// Returns the recipients that a folder names; nil if it names none.
    private static func recipients(in folder: String) throws(ExportError) -> [String]? {
        let path = "\(folder)/\(recipientFile)"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .unreadable(path, .last)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(path, .last) }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
        let found = lines.map { line in
            var recipient = line.prefix { $0 != "#" }
            while recipient.last?.isWhitespace == true { recipient.removeLast() }
            return String(recipient)
        }
        let named = found.filter { !$0.isEmpty }
        if named.isEmpty { throw .noRecipient(folder) }
        return named
    }

    private static func encrypt(
        _ contents: consuming SecureBytes, for recipients: [String]
    ) throws(ExportError) -> [UInt8] {
        let options = ["--quiet", "--batch", "--no-encrypt-to", "--compress-algo=none", "--encrypt"]
        let command = ["gpg"] + options + recipients.flatMap { ["--recipient", $0] }
        do {
            let encrypted = try ProgramOutput.filter(contents, through: command)
            return encrypted.withBytes { $0.withUnsafeBytes { Array($0) } }
        } catch { throw .program(error) }
    }
}
