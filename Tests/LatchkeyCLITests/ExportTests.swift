import Foundation
import TestSupport
import Testing

/// `latchkey export` beside KeePassXC. Everything else is in Fixtures/transcripts/export.txt and export-to-pass.txt.
@Suite(.serialized, .waitsInOrder) struct ExportTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

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
}
