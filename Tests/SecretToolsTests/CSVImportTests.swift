import SecretTools
import SodiumKit
import Testing

/// Exports of password managers, and files that are none.
@Suite struct CSVImportTests {
    private func read(_ text: String, _ columns: [CSVImport.Role: String] = [:]) throws(ImportError) -> ImportedSecrets
    {
        try read(Array(text.utf8), columns)
    }

    private func read(
        _ bytes: [UInt8], _ columns: [CSVImport.Role: String] = [:]
    ) throws(ImportError) -> ImportedSecrets {
        do {
            return try CSVImport(columns: columns).secrets(in: secret(bytes))
        } catch let error as ImportError {
            throw error
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns each secret as `name|secret|user|url|comment`.
    private func shown(_ found: ImportedSecrets) -> [String] {
        found.secrets.map { "\($0.name)|\($0.secret.shown())|\($0.user)|\($0.url)|\($0.note)" }
    }

    @Test func everyExportIsUnderstood() throws {
        let rows: [(who: String, text: String, found: [String])] = [
            (
                "Chrome and Edge", "name,url,username,password,note\nexample.com,https://example.com/,ann,pw1,\n",
                ["example.com|pw1|ann|https://example.com/|"]
            ),
            (
                "Firefox",
                #"""
                "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"
                "https://example.com:8443","ann","p""w,1",,"https://example.com","{1}","1","2","3"
                """#,
                ["example.com:8443|p\"w,1|ann|https://example.com:8443|"]
            ),
            (
                "Bitwarden",
                """
                folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
                Work/Web,,login,Example,"a\nb",,0,https://example.com,ann,pw1,otpauth://totp/x?secret=GEZA
                ,,note,Safe,1-2-3,,0,,,,
                ,,login,Nothing,,,0,https://x.org,ann,,
                """,
                [
                    "Work/Web/Example|pw1|ann|https://example.com|a\nb",
                    "Work/Web/Example/otp|otpauth://totp/x?secret=GEZA|ann|https://example.com|", "Safe|1-2-3|||",
                ]
            ),
            (
                "1Password",
                "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nExample,https://example.com,ann,pw1,,false,false,,n\n",
                ["Example|pw1|ann|https://example.com|n"]
            ),
            (
                "KeePassXC",
                #"""
                "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
                "Root/Web","Example","ann","pw1","https://example.com","","","0","2026","2026"
                "Root","Example","ann","pw2","","","","0","2026","2026"
                """#,
                ["Root/Web/Example|pw1|ann|https://example.com|", "Root/Example|pw2|ann||"]
            ),
            (
                "LastPass",
                "url,username,password,totp,extra,name,grouping,fav\r\nhttps://example.com,ann,pw1,,,Example,Work\\Web,0\r\n"
                    + "http://sn,,,,note,Safe,,0\r\n",
                ["Work/Web/Example|pw1|ann|https://example.com|", "Safe|note||http://sn|"]
            ),
            (
                "Apple's Passwords",
                "Title,URL,Username,Password,Notes,OTPAuth\nexample.com (ann),https://example.com/,ann,pw1,,\n",
                ["example.com (ann)|pw1|ann|https://example.com/|"]
            ),
        ]
        for row in rows { #expect(shown(try read(row.text)) == row.found, "\(row.who)") }
    }

    /// A login keeps its parts where `latchkey get NAME user` finds them, and custom fields of Bitwarden too.
    @Test func userURLNotesAndCustomFieldsBecomeFields() throws {
        let header =
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
        let rows: [(row: String, secret: String, fields: [String])] = [
            (
                ",,login,a,n,\"PIN: 1234\nMy Color: red: dark\",0,https://a.org,ann,pw,", "pw",
                ["user=ann", "url=https://a.org", "notes=n", "PIN=1234", "My-Color=red: dark"]
            ),
            (
                ",,login,a,,\"user: bob\nKey: one\ntwo\nuser: eve\nempty: \nshut:\",0,,ann,pw,", "pw",
                ["user=ann", "user-2=bob", "Key=one\ntwo", "user-3=eve", "empty=", "shut="]
            ),
            (",,login,a,,\"no name\",0,,,pw,", "pw", ["field=no name"]),
            (",,note,a,the note,\"PIN: 1\",0,,,,", "the note", ["PIN=1"]),
            (",,card,a,,\"PIN: 1\nCVV: 2\",0,,,,", "PIN: 1\nCVV: 2", []),
        ]
        for row in rows {
            let found = try read(header + row.row + "\n")
            #expect(found.skipped.isEmpty)
            #expect(found.secrets.map { $0.secret.shown() } == [row.secret], "\(row.row)")
            #expect(found.secrets.map(\.fieldTexts) == [row.fields], "\(row.row)")
        }
    }

    @Test func aSeedThatIsNoneIsLeftOutAndNamed() throws {
        let found = try read("name,password,totp\nshop,pw,no seed\n")
        #expect(found.secrets.map { $0.secret.shown() } == ["pw"])
        #expect(found.skipped.count == 1 && found.skipped[0].contains("shop/otp: no seed of one-time codes: "))
    }

    @Test func columnsThatAreNotTakenAreNamed() throws {
        let found = try read("name,password,favorite,tags,type,icon\na,b,,,login,\nc,d,1,,login,\n")
        #expect(found.columnsLeft == ["favorite", "type"])
        #expect(try read("name,password,icon\na,b,\n").columnsLeft == [], "nothing is in it")
    }

    @Test(arguments: ["{\n  \"encrypted\": false,\n  \"items\": []\n}\n", "\u{FEFF} [\n]", "{\"a\":\"b\"c\"}"])
    func jsonIsNamedAsWhatItIs(_ text: String) {
        let error = #expect(throws: ImportError.json) { try read(text) }
        #expect(error?.description.hasPrefix("this is JSON, not CSV: export as CSV") == true)
    }

    @Test func dialectsAreUnderstood() throws {
        let rows: [(text: String, found: [String])] = [
            ("\u{FEFF}name,password\na,b", ["a|b|||"]), ("name;password;note\na,b;c;d\n", ["a,b|c|||d"]),
            ("name\tpassword\na\tb\n", ["a|b|||"]), ("\"na,me\";name;password\nx;y;z", ["y|z|||"]),
            ("name,password\r\n\r\n\r\na,b\r\n\n", ["a|b|||"]), ("name,password\na,\"b\r\nc\n\"", ["a|b\r\nc\n|||"]),
            ("name,password\na,\"\"\"\"\n", ["a|\"|||"]),
            ("name,password\na,\"\"\"\"\"x\"\"\"\"\"\n", ["a|\"\"x\"\"|||"]),
            ("name,password\n\"a \"\"b\"\"\",c\n", ["a \"b\"|c|||"]), ("name,password\na,b\"c\"\n", ["a|b\"c\"|||"]),
            ("name,password\na, b \n", ["a| b |||"]), ("name,password\na,b\rc\n", ["a|b\rc|||"]),
            ("name,password\na,b\r", ["a|b|||"]),
            (" Name , PASSWORD \na,b", ["a|b|||"]), ("name,password\n", []),
            ("name,password\na,\n,b", ["untitled|b|||"]),
            (
                "name,password\na,1\na,2\na (2),3\na,4\nA,5",
                ["a|1|||", "a (2)|2|||", "a (2) (2)|3|||", "a (3)|4|||", "A|5|||"]
            ),
            (
                "name,password\na/b,1\n..,2\n\u{202E}x\ny,3".replacing("\u{202E}x\ny", with: "\"\u{202E}x\ny\""),
                ["a-b|1|||", "__|2|||", "x y|3|||"]
            ),
            (
                "url,password\nhttps://u:p@h.org:1/a?b#c,1\nh.org,2\n/,3",
                [
                    "h.org:1|1||https://u:p@h.org:1/a?b#c|", "h.org|2||h.org|", "-|3||/|",
                ]
            ),
        ]
        for row in rows { #expect(shown(try read(row.text)) == row.found, "\(row.text)") }
    }

    @Test func columnsMayBeNamed() throws {
        let text = "what,who,key,password\na,b,c,d\n"
        #expect(shown(try read(text, [.name: "What", .secret: "key", .user: "who"])) == ["a|c|b||"])
        #expect(throws: ImportError.noSuchColumn("x")) { try read(text, [.name: "x"]) }
        #expect(throws: ImportError.self) { try read(text) }
    }

    @Test func brokenFilesAreRefusedWithTheirLine() {
        let rows: [(text: String, error: ImportError)] = [
            ("", .noHeader), ("\n\r\n", .noHeader), ("name,password\na,\"b\nc\n", .line(2, .openQuote)),
            ("name,password\n\n\"a\"b,c\n", .line(3, .afterQuote)),
            ("name,password\n\"a\nb\" ,c\n", .line(3, .afterQuote)),
            ("name,password\na,b\0\n", .line(2, .zeroByte)), ("name,password\na,b,c\n", .line(2, .cells(3, header: 2))),
            ("name,password\n\"a\nb\",c\na\n", .line(4, .cells(1, header: 2))),
            ("name,secret\na,b", .noColumn("secret", known: ["password", "login_password"])),
        ]
        for row in rows { #expect(throws: row.error, "\(row.text)") { try read(row.text) } }
        #expect(throws: ImportError.line(2, .noText)) {
            try read(Array("name,password\n".utf8) + [0xFF] + Array(",a\n".utf8))
        }
        // Names of fields that cannot be read must not make the fields go.
        #expect(throws: ImportError.line(2, .noText)) {
            try read(
                Array("name,password,username,latchkey_comment,latchkey_fields\na,b,c,,".utf8) + [0xFF, 0x0A])
        }
        // Excel writes UTF-16.
        #expect(throws: ImportError.line(1, .zeroByte)) { try read([0xFF, 0xFE, 0x61, 0, 0x2C, 0]) }
    }

    /// A secret need not be UTF-8.
    @Test func secretsMayBeNoText() throws {
        let found = try read(Array("name,password\na,".utf8) + [0xFF, 0x80] + Array("\n".utf8))
        #expect(found.secrets.map { $0.secret.array() } == [[0xFF, 0x80]])
    }

    /// A file without a header has a secret in its first line.
    @Test func noErrorShowsACell() throws {
        for text in [
            "hunter22,hunter22\n", "name,x\nhunter22,hunter22\n", "name,password\nhunter22,\"hunter22\"hunter22\n",
        ] {
            let error = #expect(throws: ImportError.self) { try read(text) }
            #expect(error?.description.contains("hunter22") == false)
        }
    }

    @Test func skippedRowsAreSaid() throws {
        let found = try read("name,password\na,\nb,c\n\nd,\n")
        #expect(found.skipped == ["line 2: no secret", "line 5: no secret"])
    }

    @Test func largeFilesAreRead() throws {
        let large = String(repeating: "x\"\"\n", count: 250_000)
        let found = try read("name,password,note\n\"\(large)\",\"\(large)\",\"\(large)\"\nb,c,d\n")
        #expect(found.secrets.count == 2)
        #expect(found.secrets[0].secret.count == 750_000)
        #expect(found.secrets[0].name.text.utf8.count <= SecretName.longest)

        let rows = (0..<100_000).map { #"https://example.com/\#($0),ann,word \#($0),"site ""\#($0 % 50_000)""","# }
        // On an idle machine, this takes a quarter of a second.
        let text = "url,username,password,name,note\n" + rows.joined(separator: "\n")
        let clock = ContinuousClock()
        let start = clock.now
        let many = try read(text)
        let time = clock.now - start
        #expect(many.secrets.count == 100_000)
        #expect(many.secrets[99_999].name.text == "site \"49999\" (2)")
        #expect(time < .seconds(60))
    }

    @Test func manyOfOneNameAreTold() throws {
        let found = try read("name,password\n" + String(repeating: "a,b\n", count: 20_000))
        #expect(found.secrets.last?.name.text == "a (20000)")
    }
}
