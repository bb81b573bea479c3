import HTTPWire
import LoanRules
import Testing

/// Rules, servers and forms, as profiles have them.
@Suite struct UseRuleTests {
    @Test func aRuleAllowsItsMethodAndPath() throws {
        let rule = try #require(UseRule("POST /v1/messages"))
        #expect(rule.allows("POST", "/v1/messages"))
        for (method, path) in [
            ("GET", "/v1/messages"), ("post", "/v1/messages"), ("POST", "/v1/models"), ("", "/v1/messages"),
        ] {
            #expect(!rule.allows(method, path), "\(method) \(path)")
        }
        let any = try #require(UseRule("* /v1/**"))
        #expect(any.allows("DELETE", "/v1/x") && !any.allows("DELETE", "/v2/x"))
        #expect(rule.text == "POST /v1/messages" && any.text == "* /v1/**")
    }

    @Test(arguments: [
        "", "POST", "POST  /a", "post /a", "POST /a /b", "PO ST /a", "*/ /a", "POST a", "POST /a b", " POST /a",
    ])
    func aTextThatIsNoRule(_ text: String) { #expect(UseRule(text) == nil) }

    @Test func aServerHasOneText() {
        for (text, server) in [
            ("https://api.example.com", "https://api.example.com"),
            ("https://API.example.com/", "https://api.example.com"),
            ("https://api.example.com:443", "https://api.example.com"),
            ("https://api.example.com:8443/", "https://api.example.com:8443"),
            ("https://[::1]:8443", "https://[::1]:8443"), ("https://[::1]", "https://[::1]"),
            ("https://127.0.0.1:1", "https://127.0.0.1:1"),
        ] {
            #expect(WireOrigin(server: text)?.text == server, "\(text)")
        }
        for text in [
            "", "https://", "http://a", "a", "https://a/b", "https://a:0", "https://a:65536", "https://a:",
            "https://a:+1",
            "https://u@a", "https://a b", "HTTPS://a", "https://a?x", "https://a#x", "https://[::1", "https://ä",
        ] {
            #expect(WireOrigin(server: text) == nil, "\(text)")
        }
    }

    @Test func aFormHasOneText() {
        for text in ["bearer", "basic alice", "sigv4 s3 eu-central-1"] + CredentialForm.fields {
            #expect(CredentialForm(text)?.text == text)
        }
        #expect(CredentialForm.fields.contains("x-api-key"))
        for text in [
            "sigv4", "sigv4 s3", "sigv4 s3 Eu", "sigv4  s3 eu", "", "Bearer", "basic", "basic ", "basic a:b",
            "basic a b", "authorization", "cookie", "host", "x-made-up",
        ] {
            #expect(CredentialForm(text) == nil, "\(text)")
        }
    }

    /// What a person agrees to has every difference.
    @Test func everyDifferenceIsInTheLines() throws {
        let server = try #require(WireOrigin(server: "https://api.example.com"))
        let other = try #require(WireOrigin(server: "https://api.example.org"))
        let rule = try #require(UseRule("GET /a"))
        let loan = ServerLoan(server, as: .bearer, allow: [rule])
        let service = LoanService(name: "s", item: "i", .requests(loan))
        let profile = LoanProfile(name: "p", sandbox: LoanSandbox(), services: [service])
        var changes: [(inout LoanProfile) -> Void] = [
            { $0.name = "q" }, { $0.sandbox.work = "w" }, { $0.sandbox.reads = ["r"] },
            { $0.services.append(service) }, { $0.services[0].name = "t" }, { $0.services[0].item = "j" },
            { $0.services[0].policy = "presence" },
            { $0.services[0].lease = LeaseTerms(uses: 2, minutes: nil) },
            { $0.services[0].lease = LeaseTerms(uses: nil, minutes: 1) },
        ]
        let loans: [(inout ServerLoan) -> Void] = [
            { $0.server = other }, { $0.form = .field("x-api-key") }, { $0.allow.append(rule) },
            { $0.passesRedirects = true },
        ]
        for change in loans {
            var changed = loan
            change(&changed)
            changes.append { [changed] in $0.services[0].uses = .requests(changed) }
        }
        for text in ["git@a", "git@b", "root@a", "git@a:23"] {
            let account = try #require(SSHAccount(text))
            changes.append { $0.services[0].uses = .logins(account) }
        }
        let locals: [LocalUse] = [.codes, .signatures, .decryptions] + ReleaseForm.allCases.map { .release($0) }
        for use in locals { changes.append { $0.services[0].uses = .local(use) } }
        changes.append { $0.services[0].variables = [LoanVariable("A", .url)] }
        changes.append { $0.services[0].variables = [LoanVariable("A", .placeholder)] }
        for (path, rule) in [("/a.git", "fetch"), ("/b.git", "fetch"), ("/a.git", "push a"), ("/a.git", "update a")] {
            let read = try #require(GitRule(rule))
            let git = try #require(GitLoan(path: path, rules: [read]))
            changes.append { $0.services[0].uses = .requests(ServerLoan(server, as: .bearer, allow: [], git: git)) }
        }
        var known = [profile.lines]
        for change in changes {
            var changed = profile
            change(&changed)
            #expect(!known.contains(changed.lines), "\(changed.lines)")
            known.append(changed.lines)
        }
        let members =
            Mirror(reflecting: service).children.count + Mirror(reflecting: profile).children.count
            + Mirror(reflecting: profile.sandbox).children.count + Mirror(reflecting: loan).children.count
        #expect(members == 16, "a new member of a profile is in its lines and in this test")
    }
}
