import SecretTools
import SodiumKit
import Testing

/// Listings of a keyring by secret-tool 0.20.5, and listings that it would never print.
@Suite struct KeyringListingTests {
    private static let times = "created = 2026-11-21 22:04:12\nmodified = 2026-11-21 22:04:12\n"

    private func read(_ text: String) throws -> [String] {
        try KeyringListing.secrets(in: secret(text)).secrets.map { found in
            ([found.name.text, found.secret.shown(), found.user, found.url]
                + found.attributes.map { "\($0.name)=\($0.value)" }).joined(separator: "|")
        }
    }

    @Test func realListingsAreRead() throws {
        let times = Self.times
        let rows: [(text: String, found: [String])] = [
            ("", []),
            (
                "[/1]\nlabel = GitHub token\nsecret = simple-secret\n\(times)schema = org.freedesktop.Secret.Generic\n"
                    + "attribute.user = alice\nattribute.service = github\n",
                [
                    "GitHub token|simple-secret|alice|github|xdg:schema=org.freedesktop.Secret.Generic|user=alice|service=github"
                ]
            ),
            (
                "[/2]\nlabel = Multi\nsecret = line one\nline two\n[not/a/path]\nlabel = fake\ncreated = 1970\n\n\(times)"
                    + "attribute.user = bob\nattribute.service = multi\n",
                [
                    "Multi|line one\nline two\n[not/a/path]\nlabel = fake\ncreated = 1970\n|bob|multi|user=bob|service=multi"
                ]
            ),
            (
                "[/3]\nlabel = Multi2\nsecret = nonl\nend\n\(times)attribute.user = x = y\nattribute.service = multi2\n",
                ["Multi2|nonl\nend|x = y|multi2|user=x = y|service=multi2"]
            ),
            ("[/5]\nlabel = nul\nsecret = abc\0def\n\(times)attribute.a = b\n", ["nul|abc\0def|||a=b"]),
            (
                "[/6]\nlabel = Zeile\nzwei\nsecret = abc\n\n\(times)attribute.service = nl\nattribute.a = two\nlines\n",
                ["Zeile zwei|abc\n||nl|service=nl|a=two\nlines"]
            ),
            (
                "[/7]\nlabel = other schema\nsecret = spaced \n\(times)schema = org.example.Password\n"
                    + "attribute.origin_url = https://example.com/\nattribute.username_value = ann\n",
                [
                    "other schema|spaced |ann|https://example.com/|xdg:schema=org.example.Password"
                        + "|origin_url=https://example.com/|username_value=ann"
                ]
            ),
            (
                "[/9]\nlabel = T\nsecret = s2\n\(times)attribute.n = 2\n[/8]\nlabel = T\nsecret = s1\n\(times)"
                    + "schema = org.freedesktop.Secret.Generic\nattribute.n = 1\n[/10]\nlabel = T\nsecret = s3\n\(times)",
                [
                    "T|s2|||n=2", "T (2)|s1|||xdg:schema=org.freedesktop.Secret.Generic|n=1", "T (3)|s3||",
                ]
            ),
            (
                "** (secret-tool:1): WARNING **: x\n[/org/freedesktop/secrets/collection/login/12]\nlabel = Zürich 日本\nsecret = a\n\(times)",
                ["Zürich 日本|a||"]
            ),
        ]
        for row in rows { #expect(try read(row.text) == row.found, "\(row.text)") }
    }

    @Test func lockedAndEmptyOnesAreSkipped() throws {
        let found = try KeyringListing.secrets(
            in: secret(
                "[/4]\nlabel = Empty\nsecret = \n\(Self.times)attribute.a = b\nsecret-tool: Cannot get secret of a locked object\n"
                    + "[/1]\nlabel = L\n\(Self.times)attribute.user = c\nsecret-tool: Cannot get secret of a locked object\n"
                    + "[/2]\nlabel = M\nsecret = x\n\(Self.times)"))
        #expect(found.secrets.map(\.name.text) == ["M"])
        #expect(
            found.skipped == ["Empty: no secret", "L: locked"])
    }

    @Test func unclearOnesAreRefused() throws {
        let rows: [(text: String, error: ImportError)] = [
            (
                "[/2]\nlabel = Unclear\nsecret = a\n\(Self.times)attribute.x = y\nb\n\(Self.times)attribute.a = b\n",
                .line(1, .unclearEnd)
            ),
            ("[/2]\nlabel = a\nsecret = b\n\(Self.times)[/3]\nlabel = c\nsecret = d\n", .line(6, .openEntry)),
            ("[/2]\nlabel = a\nsecret = b\ncreated = 2026-11-21 22:04:12\n", .line(1, .openEntry)),
        ]
        for row in rows { #expect(throws: row.error, "\(row.text)") { try read(row.text) } }
        let broken = Array("[/2]\nlabel = ".utf8) + [0xFF] + Array("\nsecret = b\n\(Self.times)".utf8)
        #expect(throws: ImportError.line(2, .noText)) { try KeyringListing.secrets(in: secret(broken)) }
    }
}
