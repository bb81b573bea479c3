import AccessPolicy
import AgentProtocol
import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// `latchkey export`: what it writes, what reads it back, and what it refuses.
@Suite(.serialized, .waitsInOrder) struct ExportTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// Secrets that need no authentication, with what makes files of text difficult.
    private static let texts: [(name: String, text: String)] = [
        ("web/mail", "p,1\"x\""), ("web/mail/notes", "one\ntwo, \"three\"\n"),
        ("web/mail/otp", "otpauth://totp/x?secret=GEZA"),
        ("plain", "über 'all'"), ("ssh/key", "-----BEGIN-----\nAAAA\n-----END-----\n"),
        ("alone/notes", "no secret above"),
        ("web", "=1+1"),
    ]

    private func fill() throws {
        for (name, text) in Self.texts { try vault.set(name, text) }
        #expect(try vault.sh("latchkey edit web/mail --comment 'ann, https://mail.example/in'").status == 0)
        #expect(try vault.sh("latchkey edit plain --comment 'of the build'").status == 0)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(.enabled(if: KeePassXC.isThere, "skipped: needs keepassxc-cli")) func keePassXCWritesTheSameLines() throws {
        try vault.set("work/mail", "se\"c,ret")
        #expect(try vault.sh("latchkey edit work/mail --comment 'alice, https://x.example'").status == 0)
        try vault.set("work/mail/notes", "a\nb")
        let path = vault.path("out.csv")
        #expect(try vault.sh("latchkey export keepassxc --yes '\(path)'").status == 0)
        let ours = try String(contentsOfFile: path, encoding: .utf8)
        let database = "'\(vault.path("x.kdbx"))'"
        let made = try vault.sh(
            """
            export QT_QPA_PLATFORM=offscreen
            printf 'pw\\npw\\n' | keepassxc-cli db-create -q -p \(database) >/dev/null &&
            printf 'pw\\n' | keepassxc-cli mkdir -q \(database) work &&
            printf 'pw\\nse"c,ret\\n' | keepassxc-cli add -q -u alice --url https://x.example --notes 'a\\nb' -p \(database) work/mail &&
            printf 'pw\\n' | keepassxc-cli export -q -f csv \(database)
            """)
        #expect(made.status == 0, "\(made)")
        // Its lines have three more columns, and the name of the database in front of the group.
        var theirs = made.output.replacing("\"Passwords/work\"", with: "\"work\"")
        theirs = theirs.replacing(",\"Icon\",\"Last Modified\",\"Created\"", with: "")
        theirs = theirs.replacing(/,"0","[^"]*","[^"]*"\n/, with: "\n")
        #expect(ours == theirs)
        let other = try UnlockedVault()
        #expect(try other.sh("latchkey import csv '\(path)' --preset open").status == 0)
        #expect(try other.get("work/mail") == "se\"c,ret")
        #expect(try other.sh("latchkey get work/mail notes").output == "a\nb")
    }

    private enum KeePassXC {
        static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/keepassxc-cli")
    }

    @Test func aStoreOfPassIsReadBackByTheImport() throws {
        try fill()
        try vault.set("binary", [1, 255, 10])
        let home = vault.path("gnupg")
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let ring = ["GNUPGHOME": home]
        defer { _ = try? vault.sh("gpgconf --kill all", ring) }
        let made = try vault.sh(
            "gpg --quiet --batch --passphrase '' --pinentry-mode loopback --quick-generate-key test@example.com future-default "
                + "default never", ring)
        #expect(made.status == 0, "\(made)")
        let store = vault.path("store")
        let unknown = try vault.sh("latchkey export pass '\(store)'", ring)
        #expect(unknown.status == 2 && unknown.errors.contains("add --recipient KEY"), "\(unknown)")
        let stranger = try vault.sh("latchkey export pass --recipient nobody@example.com '\(store)'", ring)
        #expect(stranger.status == 2 && stranger.errors.contains("gpg exited with"), "\(stranger)")
        #expect(!FileManager.default.fileExists(atPath: store))
        let run = try vault.sh("umask 0; latchkey export pass --recipient test@example.com '\(store)'", ring)
        #expect(run.status == 0 && run.errors.hasSuffix("Wrote 8 secrets to \(store), encrypted by gpg.\n"), "\(run)")
        #expect(try mode(store + "/web/mail.gpg") == 0o600)
        #expect(try mode(store + "/web") == 0o700)
        #expect(try String(contentsOfFile: store + "/.gpg-id", encoding: .utf8) == "test@example.com\n")
        let shown = try vault.sh("gpg --quiet --batch --decrypt '\(store)/web/mail.gpg'", ring)
        #expect(
            shown.output == "p,1\"x\"\nlogin: ann\nurl: https://mail.example/in\none\ntwo, \"three\"\n", "\(shown)")
        // Nothing is replaced, and what is new goes to the recipients of the store.
        try vault.set("later", "l")
        let again = try vault.sh("latchkey export pass '\(store)'", ring)
        #expect(again.status == 1 && again.errors.contains("Wrote 1 secret to "), "\(again)")
        #expect(again.errors.contains("latchkey: left out: plain: \(store) has it already\n"))
        #expect(again.errors.contains("latchkey: left out: web/mail/notes: \(store) has web/mail already\n"))
        let twice = try vault.sh("latchkey export pass --recipient test@example.com '\(store)'", ring)
        #expect(twice.status == 2 && twice.errors.contains("leave out --recipient"), "\(twice)")

        let other = try UnlockedVault()
        #expect(try other.sh("latchkey import pass '\(store)' --preset open", ring).status == 0)
        for name in ["web/mail", "plain", "web/mail/otp", "web", "alone/notes", "later"] {
            #expect(try other.get(name) == vault.get(name), "\(name)")
        }
        let whole = try UnlockedVault()
        #expect(try whole.sh("latchkey import pass --whole '\(store)' --preset open", ring).status == 0)
        #expect(try whole.get("ssh/key") == vault.get("ssh/key"))
    }
}
