import Foundation
import TestSupport
import Testing

/// Generated and imported secrets.
@Suite(.serialized, .waitsInOrder) struct GenerateAndImportTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    @Test func whatIsMadeIsKeptAndNotShown() throws {
        let run = try vault.sh("latchkey generate made/one --length 40 --preset open")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.wholeMatch(of: /Generated made\/one: \d+ bits of entropy\.\n/) != nil)
        let secret = try #require(try vault.get("made/one"))
        #expect(secret.utf8.count == 40)
        #expect(!run.output.contains(secret) && run.errors == "Saved made/one; opens while the vault is unlocked.\n")
        let again = try vault.sh("latchkey generate made/one --preset open")
        #expect(again.status == 9 && again.errors.contains("`latchkey generate --replace`"), "\(again)")
        #expect(try vault.get("made/one") == secret, "nothing was replaced")
        #expect(try vault.sh("latchkey generate made/one --preset open --replace").status == 0)
        #expect(try vault.get("made/one") != secret)
    }

    @Test func whereTheOutputTakesNothingNothingIsKept() throws {
        for line in ["latchkey generate x --preset open >&-", "latchkey generate x --preset open >/dev/full"] {
            let run = try vault.sh(line)
            #expect(run.status == 1 && run.errors.hasSuffix("; nothing was saved\n"), "\(run)")
            #expect(try vault.get("x") == nil)
        }
        try vault.set("x", "old")
        #expect(try vault.sh("latchkey generate x --replace >&-").status == 1)
        #expect(try vault.get("x") == "old")
        #expect(try vault.sh("latchkey generate >&-").status == 1)
    }

    @Test(
        arguments: [
            ("--hex 16", "^[0-9a-f]{32}$"), ("--base64 6", "^[A-Za-z0-9+/]{8}$"),
            ("--words 3", "^[a-z]+(-[a-z]+){2,5}$"),
            ("--length 12 --characters digits", "^[0-9]{12}$"), ("", "^[!-~]{24}$"),
            ("--characters lower,upper --no-ambiguous --length 200", "^[^Il0-9OSZB]+$"),
        ])
    func withoutANameItIsWrittenOut(_ options: String, _ pattern: String) throws {
        let run = try vault.sh("latchkey generate \(options)")
        #expect(run.status == 0)
        #expect(try Regex(pattern).firstMatch(in: run.output) != nil, "\(run.output)")
        #expect(run.errors.wholeMatch(of: /\d+ bits of entropy\n/) != nil)
    }

    @Test(
        arguments: [
            ("--length 3", "3"), ("--length x", "--length takes a number"),
            ("--characters vowels", "unknown class of characters"),
            ("--hex 4 --words 4", "exclude each other"), ("--hex 0", "0"),
        ])
    func whatCannotBeMadeIsSaid(_ options: String, _ words: String) throws {
        let run = try vault.sh("latchkey generate \(options)")
        #expect(run.status == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    // MARK: - Importing

    private func csv(_ name: String, _ text: String) throws -> String {
        let path = vault.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func aBrowsersExportComesInWithoutReplacingAnything() throws {
        try vault.set("web/there", "before")
        let path = try csv(
            "browser.csv",
            "name,url,username,password,note\nthere,https://there.example,bob,p1,\nnew,https://new.example,alice,\"p,2\",a note\n"
        )
        let listed = try vault.sh("latchkey import csv '\(path)' --under web --dry-run")
        #expect(listed.status == 1, "something would be left out")
        #expect(listed.output == "web/new\n")
        #expect(try vault.names() == ["web/there"], "nothing was taken in")
        let run = try vault.sh("latchkey import csv '\(path)' --under web --preset open")
        #expect(run.status == 1, "something was left out")
        #expect(run.errors.contains("left out: web/there: it exists already"))
        #expect(run.errors.contains(listed.errors), "the same is left out, for the same reasons")
        #expect(run.output == "Imported 1 secret, left out 1.\n")
        #expect(run.errors.hasSuffix("Once you have looked at what was imported: shred -u \(path)\n"), "\(run)")
        #expect(try vault.get("web/there") == "before")
        #expect(try vault.get("web/new") == "p,2")
        for (field, text) in [("user", "alice"), ("url", "https://new.example"), ("notes", "a note")] {
            #expect(try vault.sh("latchkey get web/new \(field)").output == text)
        }
        let shown = try vault.sh("latchkey show web/new")
        #expect(shown.output.contains("alice, https://new.example"))
        #expect(shown.output.contains("fields     user, url, notes\n"), "\(shown)")
        for text in ["p,2", "p1", "a note"] { #expect(!(run.output + run.errors + shown.output).contains(text)) }
    }

    /// The names of a dry run are those that the import adds, whatever is in the way.
    @Test func aDryRunListsExactlyWhatIsImported() throws {
        try vault.set("in/b", "before")
        let long = String(repeating: "x", count: 1000)
        let path = try csv(
            "odd.csv",
            """
            name,folder,url,username,password,note
            a,,,,p1,n1
            b,,,,p2,n2
            notes,a,,,p3,
            \(long),,,,p4,n4
            wide,,\(String(repeating: "u", count: 70_000)),,p5,
            ,,,,p6,
            empty,,,,,
            """)
        let line = "latchkey import csv '\(path)' --under in/"
        let dry = try vault.sh(line + " --dry-run")
        #expect(try vault.names() == ["in/b"])
        let wet = try vault.sh(line + " --preset open")
        #expect(dry.status == 1 && wet.status == 1)
        let added = Set(try vault.names()).subtracting(["in/b"])
        #expect(Set(dry.output.split(separator: "\n").map(String.init)) == added, "\(dry) \(wet)")
        #expect(added.isSuperset(of: ["in/a", "in/a/notes"]))
        func left(_ errors: String) -> [Substring] { errors.split(separator: "\n").filter { $0.contains("left out") } }
        #expect(left(dry.errors) == left(wet.errors) && left(dry.errors).count == 3, "\(dry.errors)")
    }

    /// A file of Bitwarden: nothing of it vanishes without a word.
    @Test func aCustomFieldIsReadByItsNameAndOtherColumnsAreNamed() throws {
        let path = try csv(
            "bitwarden.csv",
            """
            folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            ,1,login,shop,,"PIN: 1234\nCard Number: 5",0,https://shop.example,ann,pw,otpauth://totp/x?secret=GEZDGNBV

            """)
        let line = "not imported: the columns favorite, type and reprompt\n"
        let dry = try vault.sh("latchkey import csv '\(path)' --dry-run")
        #expect(dry.status == 0 && dry.output == "shop\nshop/otp\n" && dry.errors == "latchkey: \(line)", "\(dry)")
        let run = try vault.sh("latchkey import csv '\(path)' --preset open")
        #expect(run.status == 0 && run.errors.contains(line), "\(run)")
        for (field, text) in [("PIN", "1234"), ("Card-Number", "5"), ("user", "ann")] {
            #expect(try vault.sh("latchkey get shop \(field)").output == text)
        }
        #expect(try vault.sh("latchkey otp shop").output.wholeMatch(of: /[0-9]{6}\n/) != nil)
        // The passcode protects the fields as it protects the value.
        #expect(try vault.sh("latchkey import csv '\(path)' --under kept --preset passcode").status == 0)
        #expect(try vault.sh("latchkey get kept/shop PIN").status == 8)
    }

    @Test func anImportAtATerminalSaysWhatItReads() throws {
        let none = try CommandAtTerminal(["import", "csv"], environment: vault.environment)
        #expect(none.end() == 2 && none.shown.contains("FILE is missing: name it, as in latchkey import csv FILE"))
        let typed = try CommandAtTerminal(["import", "csv", "-", "--dry-run"], environment: vault.environment)
        try typed.answer([("Reading a CSV table from the terminal. Ctrl-D ends it.", "name,password\nx,y\n\u{4}")])
        #expect(typed.end() == 0 && typed.shown.hasSuffix("x\n"), "\(typed.shown)")
    }

    @Test func aWordThatIsNoFormatLeadsToOne() throws {
        let (table, json) = (try csv("t.csv", "name,password\n"), try csv("data", "\n {\"items\": []}\n"))
        for (word, hint) in [
            ("bitwarden", "export a CSV file from the other password manager, and run latchkey import csv FILE"),
            ("json", "JSON is not read: export a CSV file"), (json, "JSON is not read: "),
            (table, "name the format first: run latchkey import csv \(table)"),
            (vault.path(""), "name the format first: run latchkey import pass "), ("none.csv", "import csv none.csv"),
            ("csw", "unknown command \"csw\": did you mean csv?"),
        ] {
            let run = try vault.sh("latchkey import '\(word)'")
            #expect(run.status == 2 && run.errors.contains(hint), "\(word): \(run)")
        }
        let help = try vault.sh("latchkey import --help").output
        for line in ["latchkey import pass ", "latchkey import csv ", "latchkey import secret-tool "] {
            #expect(help.contains(line), "\(line)")
        }
    }

    /// No command is printed that names another file.
    @Test func aFileWhoseNameIsNotUTF8IsNotNamedInACommand() throws {
        let run = try vault.sh(
            "cd \"$HOME\" && f=$(printf 'a\\377.csv') && printf 'name,password\\nraw,p\\n' >\"$f\" && "
                + "latchkey import csv \"$f\" --preset open")
        #expect(
            run.status == 0 && run.errors.hasSuffix("Once you have looked at what was imported: delete it\n"), "\(run)")
    }

    @Test func aFileComesByStandardInputAndWithColumnsOfItsOwn() throws {
        let run = try vault.sh(
            "printf 'what;key\\nfirst;k1\\n' | latchkey import csv --name-column what --secret-column key --under own --preset open"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(try vault.get("own/first") == "k1")
    }

    @Test func whatIsNoExportIsRefusedWithItsLine() throws {
        let path = try csv("bad.csv", "name,password\na,\"never ends\n")
        let json = try csv("bitwarden.json", "{\n  \"encrypted\": false, \"items\": []\n}\n")
        let other = try vault.sh("latchkey import csv '\(json)'")
        let words = "bitwarden.json: this is JSON, not CSV: export as CSV"
        #expect(other.status == 2 && other.errors.contains(words), "\(other)")
        let run = try vault.sh("latchkey import csv '\(path)'")
        #expect(run.status == 2)
        #expect(!run.errors.contains("never ends"))
        #expect(run.errors.contains("bad.csv: line 2: a quotation that starts here"), "\(run.errors)")
    }

    @Test func aFolderOfPassComesInByGPG() throws {
        // A script on the PATH stands in for gpg, which has tests of its own.
        let store = vault.path("store")
        let tools = vault.path("tools")
        for folder in [store + "/mail", tools] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for name in ["one", "mail/two"] {
            try "x".write(toFile: "\(store)/\(name).gpg", atomically: true, encoding: .utf8)
        }
        let gpg = """
            #!/bin/sh
            for last; do :; done
            printf 'secret of %s\\nuser: me\\notpauth://totp/x?secret=GEZDGNBV\\nmore\\n' "$(basename "$last" .gpg)"

            """
        try TestProgram.write(gpg, to: tools + "/gpg")
        let run = try vault.sh("PATH='\(tools)':$PATH latchkey import pass '\(store)' --under pass --preset open")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try vault.get("pass/one") == "secret of one")
        #expect(try vault.get("pass/mail/two") == "secret of two")
        #expect(try vault.sh("latchkey get pass/mail/two user").output == "me")
        #expect(try vault.sh("latchkey get pass/mail/two notes").output == "more\n")
        #expect(try vault.sh("latchkey otp pass/mail/two").output.wholeMatch(of: /[0-9]{6}\n/) != nil)
        #expect(try vault.names() == ["pass/mail/two", "pass/mail/two/otp", "pass/one", "pass/one/otp"])
    }
}
