import SecretTools
import SodiumKit
import Testing

/// The files that secrets are exported to, read back by the imports.
@Suite struct ExportedSecretTests {
    @Test(
        arguments: [
            ("", "", "", ""), ("ann", "ann", "", ""), ("https://x.example", "", "https://x.example", ""),
            ("ann, https://x.example/in?a=b", "ann", "https://x.example/in?a=b", ""),
            ("of the build", "", "", "of the build"),
            ("of the build, ssh://x", "", "ssh://x", "of the build"),
            ("see https://x.example", "", "", "see https://x.example"),
            ("ann, bob", "", "", "ann, bob"), (", https://x", "", "https://x", ""),
        ])
    func aCommentHasAUserAndAURL(_ comment: String, _ user: String, _ url: String, _ rest: String) {
        let parts = CommentParts(comment)
        #expect(parts.user == user && parts.url == url && parts.rest == rest, "\(parts)")
    }

    private static let pieces = ["a", "\"", ",", ";", "\n", "\r\n", "é", "\t", " ", "=", "\\", "'", "\r", "0"]

    /// Returns a text of pieces that are difficult in a file of cells.
    private static func text(_ random: inout SystemRandomNumberGenerator, upTo count: Int) -> String {
        (0..<Int.random(in: 1...count, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "a" }
            .joined()
    }

    @Test func csvKeepsEveryText() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var file = try SecureBuffer()
            try CSVExport.own.appendHeader(to: &file)
            var expected: [String: (secret: String, comment: String, notes: String, otp: String)] = [:]
            for number in 0..<5 {
                let name =
                    ["top \(number)", "a/b;c/\"\(number)\"", "ü/\(number), x"].randomElement(using: &random) ?? ""
                if expected[name] != nil { continue }
                let row = (
                    secret: Self.text(&random, upTo: 8), comment: Self.text(&random, upTo: 5),
                    notes: Bool.random() ? "" : Self.text(&random, upTo: 8),
                    otp: Bool.random() ? "" : "otpauth://totp/x,y"
                )
                expected[name] = row
                let notes: SecureBytes? = row.notes.isEmpty ? nil : try secret(row.notes)
                let otp: SecureBytes? = row.otp.isEmpty ? nil : try secret(row.otp)
                try CSVExport.own.append(
                    ExportedSecret(
                        name: SecretName(name), secret: secret(row.secret), notes: notes, otp: otp, comment: row.comment
                    ),
                    to: &file)
            }
            let found = try CSVImport().secrets(in: try file.bytes())
            #expect(found.skipped == [])
            #expect(found.secrets.count == expected.values.reduce(0) { $0 + ($1.otp.isEmpty ? 1 : 2) })
            for imported in found.secrets where !imported.name.text.hasSuffix("/otp") {
                let row = try #require(expected[imported.name.text])
                #expect(imported.secret.shown() == row.secret && imported.note == row.notes)
                #expect(imported.ownComment == row.comment)
            }
        }
    }

    /// A field is read back as a field, and a comment as a comment.
    @Test func csvKeepsFieldsApartFromTheComment() throws {
        var file = try SecureBuffer()
        try CSVExport.own.appendHeader(to: &file)
        let rows: [(name: String, fields: [String], notes: String?, comment: String)] = [
            ("a", ["user=ann", "url=https://a.org", "notes=one\n\"two\""], nil, "of the build"),
            ("b", [], "apart", "bob, https://b.org"), ("c", ["user=eve"], "apart", "bob"), ("d", ["notes=n"], nil, ""),
        ]
        for row in rows {
            let fields = try row.fields.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                return try SecretField(parts[0], text: parts[1])
            }
            let notes: SecureBytes? = try row.notes.map { try secret($0) }
            let exported = try ExportedSecret(
                name: SecretName(row.name), secret: secret("x"), fields: fields, notes: notes, comment: row.comment)
            try CSVExport.own.append(exported, to: &file)
        }
        let found = try CSVImport().secrets(in: try file.bytes())
        for (row, imported) in zip(rows, found.secrets) {
            #expect(imported.name.text == row.name && imported.fieldTexts == row.fields, "\(row)")
            #expect(imported.ownComment == row.comment, "\(row)")
            if row.notes != nil { #expect(imported.note == row.notes && imported.field("notes") == nil, "\(row)") }
        }
    }

    /// A secret of one line has its notes below; any other is a file by itself.
    @Test(
        arguments: [
            ("x", "", nil, "x\n"), ("x", "ann, https://x", "n", "x\nlogin: ann\nurl: https://x\nn"),
            ("x", "of the build", "n\n", "x\ncomment: of the build\nn\n"), ("x\ny\n", "ann", nil, "x\ny\n"),
        ] as [(String, String, String?, String)])
    func aFileOfPass(_ value: String, _ comment: String, _ notes: String?, _ expected: String) throws {
        let bytes: SecureBytes? = try notes.map { try secret($0) }
        let exported = try ExportedSecret(name: SecretName("n"), secret: secret(value), notes: bytes, comment: comment)
        #expect(try PasswordStoreExport.contents(of: exported).shown() == expected)
    }

    @Test func aFileOfPassHasTheFieldsWhereTheImportFindsThem() throws {
        let fields = [
            try SecretField("user", text: "ann"), try SecretField("url", text: "https://a.org"),
            try SecretField("notes", text: "one\ntwo\n"),
        ]
        let exported = try ExportedSecret(name: SecretName("n"), secret: secret("x"), fields: fields, comment: "bob")
        let file = try PasswordStoreExport.contents(of: exported).shown()
        #expect(file == "x\nlogin: ann\nurl: https://a.org\ncomment: bob\none\ntwo\n")
    }

    @Test func namesThatPassCannotHave() throws {
        let long = String(repeating: "x", count: 245)
        for (name, fits) in [
            ("a/b", true), (String(long.dropLast()), true), (long, false), ("a/.git/b", false), (".git2", true),
        ] {
            #expect((try PasswordStoreExport.fault(of: SecretName(name)) == nil) == fits, "\(name)")
        }
    }

    /// A program that reads nothing, or ends early, ends with its status; one that prints while it reads is not stuck.
    @Test func aFilterGetsEverything() throws {
        let much = [UInt8](repeating: 7, count: 1_000_000)
        #expect(try ProgramOutput.filter(secret(much), through: ["cat"]).array() == much)
        #expect(try ProgramOutput.filter(secret(much), through: ["true"]).count == 0)
        #expect(throws: ImportError.failed("false", .status(1))) {
            _ = try ProgramOutput.filter(secret(much), through: ["false"])
        }
        #expect(try ProgramOutput.filter(secret([]), through: ["cat"]).count == 0)
    }
}
