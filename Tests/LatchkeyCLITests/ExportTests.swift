import AccessPolicy
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

    private func expectSame(in other: UnlockedVault, under prefix: String = "") throws {
        for (name, text) in Self.texts { #expect(try other.get(prefix + name) == text, "\(name)") }
        #expect(try Set(other.names()) == Set(Self.texts.map { prefix + $0.name }))
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    // MARK: - Files

    @Test func csvIsReadBackByTheImport() throws {
        try fill()
        let path = vault.path("out.csv")
        let run = try vault.sh("umask 0; latchkey export csv --yes '\(path)'")
        #expect(run.status == 0 && run.output == "", "\(run)")
        #expect(
            run.errors == "Wrote 7 secrets to \(path), not encrypted. Once you have used it: shred -u \(path)\n",
            "\(run)")
        #expect(try mode(path) == 0o600)
        let other = try UnlockedVault()
        let back = try other.sh("latchkey import csv '\(path)' --preset open")
        #expect(back.status == 0 && back.output == "Imported 7 secrets, left out 0.\n", "\(back)")
        try expectSame(in: other)
        #expect(try other.sh("latchkey show web/mail").output.contains("comment    ann, https://mail.example/in\n"))
        #expect(try other.sh("latchkey show plain").output.contains("comment    of the build\n"))
    }

    @Test func aPartIsExportedToAPipe() throws {
        try fill()
        let run = try vault.sh("latchkey export csv --only web --yes | cat")
        #expect(run.status == 0 && run.errors == "Wrote 4 secrets, not encrypted.\n", "\(run)")
        #expect(run.output.split(separator: "\n").count == 5, "the notes have two lines")
        let none = try vault.sh("latchkey export csv --only nothing --yes | cat")
        #expect(none.errors == "latchkey: no secret matches nothing: run `latchkey list` to see the names\n")
    }

    @Test func jsonHasEveryByte() throws {
        try fill()
        try vault.set("binary", [0, 255, 10, 34])
        let path = vault.path("out.json")
        #expect(try vault.sh("latchkey export json --yes '\(path)'").status == 0)
        struct Row: Decodable, Equatable {
            let name: String
            let comment: String
            let value: String?
            let bytes: Data?
            enum CodingKeys: String, CodingKey {
                case name, comment, value
                case bytes = "value-base64"
            }
        }
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(filePath: path)))
        let values = Dictionary(
            uniqueKeysWithValues: rows.map { ($0.name, $0.value.map { Data($0.utf8) } ?? $0.bytes) })
        var expected = Dictionary(uniqueKeysWithValues: Self.texts.map { ($0.name, Data($0.text.utf8)) })
        expected["binary"] = Data([0, 255, 10, 34])
        #expect(values == expected)
        #expect(rows.first { $0.name == "plain" }?.comment == "of the build")
    }

    @Test func whatIsNotTextIsLeftOutOfCSV() throws {
        try vault.set("binary", [0, 255])
        try vault.set("text", "t")
        let run = try vault.sh("latchkey export csv --yes | cat")
        #expect(run.errors.contains("latchkey: left out: binary: it is not text; `latchkey export json` takes it\n"))
        let path = vault.path("out.csv")
        #expect(try vault.sh("latchkey export csv --yes '\(path)'").status == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"text\",\"\",\"t\""))
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

    // MARK: - What is refused

    @Test func nothingGoesWhereOthersCanRead() throws {
        try vault.set("a", "canary")
        let path = vault.path("there.csv")
        let rows: [(script: String, status: Int32, words: String)] = [
            ("umask 022; latchkey export csv --yes > '\(path)'", 2, "is a file that other users can read (mode 644)"),
            ("latchkey export csv --yes '\(path)'", 9, "exists already, and other users can read it (mode 644)"),
            ("chmod 600 '\(path)'; latchkey export csv --yes '\(path)'", 9, "exists already: choose another path"),
            ("latchkey export csv --yes '\(vault.path("none/x"))'", 2, "No such file or directory"),
            ("latchkey export csv '\(vault.path("new"))'", 8, "none can be asked: add --yes"),
        ]
        for (script, status, words) in rows {
            let run = try vault.sh(script)
            #expect(run.status == status && run.errors.contains(words), "\(script): \(run)")
        }
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.path("")) == ["there.csv"])
        let redirected = try vault.sh("chmod 600 '\(path)'; latchkey export csv --yes > '\(path)'")
        #expect(redirected.status == 0, "a file that only the user can read takes it: \(redirected)")
    }

    @Test func fieldsAreNamedAsLeftOut() throws {
        try vault.set("a", "value")
        #expect(try vault.sh("echo 1234 | latchkey edit a --field pin").status == 0)
        for format in ["csv", "keepassxc"] {
            let run = try vault.sh(
                "latchkey export \(format) --yes | cat >/dev/null; latchkey export \(format) --yes 2>&1 >/dev/null")
            #expect(run.status == 1 && run.output.contains("left out: a pin: the format has no place for it"), "\(run)")
        }
    }

    /// A login comes back with its fields, through every format.
    @Test func theFieldsOfALoginAreExported() throws {
        let line = "printf p | latchkey set web/shop --preset open --user ann --url https://shop.example --comment c"
        #expect(try vault.sh(line).status == 0)
        #expect(try vault.sh("printf 'one\\ntwo' | latchkey edit web/shop --field notes").status == 0)
        for format in ["csv", "keepassxc"] {
            let path = vault.path("\(format).csv")
            #expect(try vault.sh("latchkey export \(format) --yes '\(path)'").status == 0)
            let other = try UnlockedVault()
            #expect(try other.sh("latchkey import csv '\(path)' --preset open").status == 0)
            #expect(try other.names() == ["web/shop"])
            let fields = try ["", "user", "url"].map { try other.sh("latchkey get web/shop \($0)").output }
            #expect(fields == ["p", "ann", "https://shop.example"], "\(format)")
            let notes = try other.sh("latchkey get web/shop notes").output
            #expect(notes == (format == "csv" ? "one\ntwo" : "c\none\ntwo"), "\(format)")
            if format == "csv" { #expect(try other.sh("latchkey show web/shop").output.contains("comment    c\n")) }
        }
        #expect(try vault.sh("echo 1234 | latchkey edit web/shop --trim --field pin").status == 0)
        let json = try vault.sh("latchkey export json --yes | cat")
        #expect(
            json.output.contains(
                #""fields":{"user":"ann","url":"https://shop.example","notes":"one\u000atwo","pin":"1234"}}"#),
            "\(json)")
    }

    @Test func aSecretThatNeedsAuthenticationNeedsATerminal() throws {
        try vault.set("open", "o")
        try vault.set("guarded", "g", ItemPolicy(.whenUnlocked, .devicePasscode))
        let path = vault.path("out.csv")
        #expect(try vault.sh("latchkey export csv --yes '\(path)'").status == 8)
        #expect(!FileManager.default.fileExists(atPath: path))
        try vault.lock()
        #expect(try vault.sh("latchkey export csv --yes '\(path)'").status == 5)
    }

    @Test func atATerminalItAsksAndPromptsOnce() throws {
        let vault = try VaultAtTerminal()
        for name in ["a", "b", "c"] {
            #expect(try vault.run("set", name, "--preset", "presence", input: Data("of \(name)".utf8)).status == 0)
        }
        #expect(try vault.at("lock").status == 0)
        let path = vault.place.path("out.csv")
        let no = try vault.at("export", "csv", path, asked: vault.typingPasscode + [("[y/N] ", "\n")])
        #expect(no.status == 6 && !FileManager.default.fileExists(atPath: path), "\(no)")
        let question = (question: "Write 3 secrets to \(path), not encrypted? [y/N] ", answer: "y\n")
        #expect(try vault.at("lock").status == 0)
        let run = try vault.at("export", "csv", path, asked: vault.typingPasscode + [question])
        #expect(run.status == 0 && run.shown.ranges(of: "Passcode: ").count == 1, "\(run)")
        #expect(!run.shown.contains("of a"))
        let hidden = try vault.at("export", "csv")
        #expect(hidden.status == 2 && hidden.shown.contains("standard output is a terminal"), "\(hidden)")
        let dismissed = try vault.start(["export", "json", "--show", "--yes"])
        try dismissed.wait(for: "\"latchkey\" wants to export 3 secrets.")
        try dismissed.answer(vault.typingPasscode)
        #expect(dismissed.end() == 0 && dismissed.shown.contains("\"value\":\"of c\""), "\(dismissed.shown)")
    }

    // MARK: - pass

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
