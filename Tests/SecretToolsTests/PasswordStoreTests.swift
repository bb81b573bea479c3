import Foundation
import SecretTools
import SodiumKit
import TestSupport
import Testing

/// A password store of `pass`, decrypted by the real gpg with a key of its own.
@Suite struct PasswordStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func put(_ path: String, _ bytes: [UInt8] = []) throws {
        let url = folder.url.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    @Test func filesAreFoundAndLinksLeftOut() throws {
        for path in [
            "b.gpg", "a/token 10.gpg", "a/token 2.gpg", "a/.env.gpg", "a/notes.txt", ".gpg-id", ".git/x.gpg",
            "a/.git/y.gpg",
            ".extensions/z.gpg", ".gpg", "a/line\nfeed.gpg", "a/line feed.gpg", "deep/er/c.gpg",
        ] { try put(path) }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.path("link.gpg"), withDestinationPath: "b.gpg")
        try files.createSymbolicLink(atPath: folder.path("away"), withDestinationPath: "/etc")
        try files.createDirectory(atPath: folder.path("folder.gpg"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.path("pipe.gpg"), 0o600) == 0)
        let odd = open(folder.path("a") + "/\u{1}", O_CREAT | O_WRONLY, 0o600)
        #expect(odd >= 0)
        close(odd)
        var name = Array(folder.path("a").utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xFF), 0]
        let invalid = open(&name, O_CREAT | O_WRONLY, 0o600)
        #expect(invalid >= 0)
        close(invalid)

        let store = try PasswordStore(folder: folder.url.path)
        let names = store.entries.map(\.name.text)
        // Two files get the same name. The file system decides which of them comes second.
        #expect(names == ["a/.env", "a/line feed", "a/line feed (2)", "a/token 2", "a/token 10", "b", "deep/er/c"])
        #expect(store.entries.first?.path == folder.path("a/.env.gpg"))
        #expect(Set(store.skipped).count == 3)
        #expect(store.skipped.contains("link.gpg: a link") && store.skipped.contains("away: a link"))
        #expect(throws: ImportError.self) { try PasswordStore(folder: folder.path("none")) }
        #expect(throws: ImportError.self) { try PasswordStore(folder: folder.path("b.gpg")) }
    }

    /// Contents of files, with the secret and the comment in them.
    @Test func theFirstLineIsTheSecret() throws {
        try put("a.gpg")
        let store = try PasswordStore(folder: folder.url.path)
        let rows: [(text: String, secret: String, comment: String)] = [
            ("x", "x", ""), ("x\n", "x", ""), ("x\nuser: a\nb\n", "x", "b\n"), ("x\r\ny", "x", "y"),
            (" x \n\n", " x ", "\n"),
        ]
        for row in rows {
            let found = try store.secrets { _ throws(ImportError) in try decrypted(row.text) }
            #expect(found.secrets.map { $0.secret.shown() } == [row.secret])
            #expect(found.secrets.map(\.note) == [row.comment])
            let whole = try store.secrets(whole: true) { _ throws(ImportError) in try decrypted(row.text) }
            #expect(whole.secrets.map { $0.secret.shown() } == [row.text])
            #expect(whole.secrets.map(\.note) == [""])
        }
        let empty = try store.secrets { _ throws(ImportError) in try decrypted("\nx") }
        #expect(empty.secrets.isEmpty && empty.skipped == ["a: its first line is empty"])
        let error = #expect(throws: ImportError.self) {
            try store.secrets { path throws(ImportError) in throw .failed(path, .status(2)) }
        }
        #expect(error == .failed(folder.path("a.gpg"), .status(2)))
    }

    /// Below the first line, people keep what `pass` and its extensions read there.
    @Test func aLoginAndItsCodesAreFound() throws {
        try put("a.gpg")
        let uri = "otpauth://totp/x?secret=GEZDGNBV"
        let rows: [(text: String, fields: [String], otp: String?)] = [
            ("x\nuser: ann\nurl: https://a.org\n\(uri)\n", ["user=ann", "url=https://a.org"], uri),
            ("x\r\nLogin:  ann \r\nother: 1\r\n", ["user=ann", "notes=other: 1\r\n"], nil),
            ("x\npin: 1234\nPIN: 5", ["pin=1234", "notes=PIN: 5"], nil),
            ("x\nusername: a\nuser: b\nurl:\n\(uri)\n\(uri)", ["user=a", "notes=user: b\nurl:\n\(uri)"], uri),
            ("x\nusers: a\nuser a\n user: b", ["notes=users: a\nuser a\n user: b"], nil),
        ]
        for row in rows {
            let store = try PasswordStore(folder: folder.url.path)
            let found = try store.secrets { _ throws(ImportError) in try decrypted(row.text) }
            #expect(found.secrets.first?.secret.shown() == "x" && found.secrets.first?.fieldTexts == row.fields)
            let others = found.secrets.dropFirst().map { "\($0.name) \($0.secret.shown())" }
            #expect(others == (row.otp.map { ["a/otp \($0)"] } ?? []), "\(row.text)")
        }
        // A seed that gives no code is named, and its line is kept.
        let bad = "otpauth://totp/x?secret=ABC"
        let kept = try PasswordStore(folder: folder.url.path).secrets { _ throws(ImportError) in
            try decrypted("x\nuser: ann\n\(bad)\n")
        }
        #expect(kept.secrets.map(\.fieldTexts) == [["user=ann", "notes=\(bad)\n"]])
        let words = "a/otp, whose line stays in the notes of a: \(OneTimeCodeError.badSeed)"
        #expect(kept.skipped == [words])
        // So is one on the first line, which `pass otp insert` writes.
        let inserted = try PasswordStore(folder: folder.url.path).secrets { _ throws(ImportError) in
            try decrypted("\(bad)\n")
        }
        #expect(inserted.secrets.map { $0.secret.shown() } == [bad])
        #expect(
            inserted.skipped == [
                "the one-time codes of a, whose first line stays its value: \(OneTimeCodeError.badSeed)"
            ])
        // A file of its own for the codes stays what it is.
        try put("a/otp.gpg")
        let both = try PasswordStore(folder: folder.url.path).secrets { path throws(ImportError) in
            try decrypted(path.hasSuffix("/otp.gpg") ? uri : "x\n" + uri)
        }
        #expect(both.secrets.map(\.name.text) == ["a", "a/otp"] && both.secrets[0].fieldTexts == ["notes=\(uri)"])
    }

    private func decrypted(_ text: String) throws(ImportError) -> SecureBytes {
        do { return try secret(text) } catch { throw .noHeader }
    }

    @Test func gpgDecryptsWhatItHasEncrypted() throws {
        let home = try KeyRing()
        let texts = [
            "mail": "hunter2\nlogin: ann\n", "-odd": "a", "work/key": String(repeating: "long\n", count: 50_000),
        ]
        for (name, text) in texts {
            try put("plain", Array(text.utf8))
            try put("store/\(name).gpg")
            try home.gpg(
                "--recipient", "test@example.com", "--output", folder.path("store/\(name).gpg"), "--encrypt",
                folder.path("plain"))
        }
        let store = try PasswordStore(folder: folder.path("store"))
        let changes = home.changes
        let found = try store.secrets(whole: true) { path throws(ImportError) in
            try PasswordStore.decrypt(path, changes: changes)
        }
        let read = Dictionary(uniqueKeysWithValues: found.secrets.map { ($0.name.text, $0.secret.shown()) })
        #expect(read == texts)

        try put("store/broken.gpg", Array("no message".utf8))
        let error = #expect(throws: ImportError.self) {
            _ = try PasswordStore.decrypt(folder.path("store/broken.gpg"), changes: changes)
        }
        #expect(error == .failed("gpg on \(folder.path("store/broken.gpg"))", .status(2)))
    }
}

/// A home of gpg for one test, with an agent and a key without passphrase.
private final class KeyRing {
    private let folder: TemporaryFolder
    var changes: [String: String] { ["GNUPGHOME": folder.url.path] }

    init() throws {
        folder = try TemporaryFolder()
        try gpg("--passphrase", "", "--quick-generate-key", "test@example.com", "future-default", "default", "never")
    }

    deinit {
        _ = try? ProgramOutput.read(["gpgconf", "--kill", "all"], changes: changes)
        // The agent removes its sockets while it ends. A file that vanishes meanwhile makes the removal fail.
        _ = Patience.wait {
            try? FileManager.default.removeItem(at: folder.url)
            return !FileManager.default.fileExists(atPath: folder.url.path)
        }
    }

    func gpg(_ arguments: String...) throws {
        let options = ["--quiet", "--batch", "--yes", "--pinentry-mode", "loopback", "--trust-model", "always"]
        _ = try ProgramOutput.read(["gpg"] + options + arguments, changes: changes)
    }
}
