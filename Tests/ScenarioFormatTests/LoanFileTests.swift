import LoanRules
import ScenarioFormat
import TestSupport
import Testing

/// Profiles of `latchkey lend`: what they mean, and their mistakes.
@Suite struct LoanFileTests {
    private static func read(_ text: String) -> LoanFile {
        LoanFile(bytes: Array(text.utf8), of: "p.yaml", policies: ["presence", "open"])
    }

    private static let right = """
        lend: site
        sandbox: { work: ., read: [~/.gitconfig] }
        services:
          api: { item: work/api, http: "https://API.example.com:443", allow: GET /v1/** }
          model:
            item: work/model
            http: https://models.example.com
            as: x-api-key
            allow: [POST /v1/messages, "* /v1/files/*"]
            lease: { uses: 3, minutes: 5 }
            set: anthropic
            redirects: pass
          code: { item: git/alice, git: https://github.com/alice/site.git/, allow: [fetch, push agent/*], lease: { uses: 3 } }

        """

    @Test func aProfileMeansWhatItSays() throws {
        let file = Self.read(Self.right)
        let profile = try #require(file.profile, "\(file.mistakes)")
        #expect(
            profile.lines == [
                "lend site", "  works in .", "  reads ~/.gitconfig", "  has no network but what is lent",
                "  api: uses work/api at https://api.example.com, as bearer", "    GET /v1/**",
                "    one approval counts for 1 use within 720 minutes, if the policy of the secret allows it",
                "  model: uses work/model at https://models.example.com, as x-api-key", "    POST /v1/messages",
                "    * /v1/files/*",
                "    one approval counts for 3 uses within 5 minutes, if the policy of the secret allows it",
                "    passes on redirects to other servers", "    sets ANTHROPIC_BASE_URL to url",
                "    sets ANTHROPIC_API_KEY to placeholder",
                "  code: uses git/alice at https://github.com/alice/site.git, as basic x-access-token", "    fetch",
                "    push agent/*",
                "    one approval counts for 3 uses within 30 minutes, if the policy of the secret allows it",
            ])
        guard case .requests(let loan) = profile.services[1].uses else {
            Issue.record("no requests are lent")
            return
        }
        #expect(loan.allows("POST", "/v1/messages") && !loan.allows("GET", "/v1/messages"))
    }

    @Test func theFirstProfileIsRight() throws {
        let file = Self.read(LoanStarter.text)
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.profile?.services.count == 1)
    }

    /// `WorkingDayTests` takes such a day in a minute, and counts what is asked. Here it takes its eight hours.
    @Test func theFirstProfileAsksFewTimesADay() throws {
        let profile = try #require(Self.read(FirstProfile.withRepository(LoanStarter.text)).profile)
        // 40 calls; a fetch and 20 pushes; 5 logins by a code.
        let uses = ["api": 40, "code": 21, "login": 5]
        var prompts = 0
        for service in profile.services {
            var lease = Lease(service.lease)
            let count = try #require(uses[service.name])
            for number in 0..<count {
                let now = Int64(number) * 8 * 3_600_000 / Int64(count)
                if lease.take(at: now, locks: 0) != nil { continue }
                lease.begin(at: now, locks: 0)
                prompts += 1
            }
        }
        #expect(profile.services.count == 3 && prompts == 6)
    }

    /// Each has one mistake, in a line of its own.
    @Test(arguments: [
        ("lend: site", "lend: \"a b\"", 1, "the name of a borrower"),
        ("lend: site", "lent: site", 1, "did you mean lend?"),
        ("work: .", "wrok: .", 2, "did you mean work?"), ("[~/.gitconfig]", "[\"\"]", 2, "the path of a file"),
        ("  api: {", "  \"a/b\": {", 4, "the name of a service"),
        ("item: work/api, ", "", 4, "a service needs \"item\""),
        ("https://API.example.com:443", "http://api.example.com", 4, "HTTPS alone"),
        ("https://API.example.com:443", "https://api.example.com/v1", 4, "without a path"),
        ("allow: GET /v1/**", "allow: get /v1/**", 4, "expected a rule"),
        ("allow: GET /v1/**", "allow: []", 4, "\"allow\" is empty"),
        ("as: x-api-key", "as: x-apikey", 8, "did you mean x-api-key?"),
        ("as: x-api-key", "as: cookie", 8, "unknown form"),
        ("uses: 3, minutes", "uses: 0, minutes", 10, "1 to 10000"), ("minutes: 5", "minutes: 721", 10, "1 to 720"),
        ("set: anthropic", "set: anthropics", 11, "did you mean anthropic?"),
        ("set: anthropic", "set: { LD_PRELOAD: url }", 11, "would change how programs run"),
        ("set: anthropic", "set: { A: urls }", 11, "did you mean url?"),
        ("redirects: pass", "redirects: follow", 12, "unknown answer"),
        ("git: https://github.com/alice/site.git/", "git: git@github.com:alice/site.git", 13, "expected a repository"),
        ("git: https://github.com/alice/site.git/", "git: https://github.com", 13, "expected a repository"),
        ("git: https://github.com/alice/site.git/", "git: http://github.com/alice/site.git", 13, "HTTPS alone"),
        (
            "git: https://github.com/alice/site.git/, ", "", 13,
            "\"git\" with a repository, \"ssh\" with a user and a host, or one of \"otp\""
        ),
        ("item: git/alice, ", "item: git/alice, http: https://github.com, ", 13, "either \"http\" or \"git\""),
        ("git: https://github.com/alice/site.git/, ", "otp: true, ", 13, "\"allow\" is for requests to a server"),
        (
            "git: https://github.com/alice/site.git/, ", "ssh: git@github.com, ", 13,
            "\"allow\" is for requests to a server, and \"ssh\" makes none"
        ),
        (
            "git: https://github.com/alice/site.git/, ", "ssh: git@github.com:alice/site.git, ", 13,
            "expected a user and a host such as git@github.com"
        ),
        ("git: https://github.com/alice/site.git/, ", "ssh: github.com, ", 13, "expected a user and a host"),
        (", allow: GET /v1/**", "", 4, "\"allow\" is missing"),
        ("push agent/*", "push", 13, "expected a rule such as fetch"),
        ("push agent/*", "GET /v1", 13, "expected a rule such as fetch"),
        ("lease: { uses: 3 }", "set: { GIT_CONFIG_COUNT: url }", 13, "would change how programs run"),
    ])
    func aMistakeHasItsPlace(_ part: String, _ wrong: String, _ line: Int, _ words: String) throws {
        let file = Self.read(Self.right.replacing(part, with: wrong))
        #expect(file.profile == nil)
        let first = try #require(file.mistakes.first)
        #expect(first.position.line == line, "\(first)")
        #expect(file.mistakes.contains { $0.message.contains(words) }, "\(file.mistakes)")
    }

    @Test(arguments: [
        "", "a", "[]", "lend: a\nservices: {}\n", "lend: a\nservices: { a: b }\n", "--- {}\n--- {}\n", "lend: a\n",
    ])
    func whatIsNoProfileIsRefused(_ text: String) {
        let file = Self.read(text)
        #expect(file.profile == nil && !file.mistakes.isEmpty)
    }

    /// Uses without a server, each with the line that its owner agrees to.
    @Test(arguments: [
        ("otp: true", "gives one-time codes of a", "codes"), ("sign: true", "signs with a", "signatures"),
        ("decrypt: true", "decrypts with a", "decryptions"),
        ("release: text", "GIVES OUT a itself, as text", "value"),
        ("release: aws", "GIVES OUT a itself, as aws", "value"),
        ("release: kubectl", "GIVES OUT a itself, as kubectl", "value"),
    ])
    func aUseWithoutAServerIsNamed(_ key: String, _ line: String, _ target: String) throws {
        let file = Self.read("lend: s\nservices: { x: { item: a, \(key), set: { X: url } } }\n")
        let profile = try #require(file.profile, "\(file.mistakes)")
        #expect(profile.lines.contains("  x: \(line)"), "\(profile.lines)")
        #expect(profile.services[0].target.text == target && profile.services[0].scope == nil)
        #expect((profile.services[0].release != nil) == (target == "value"))
    }

    @Test(arguments: [
        "otp: false", "release: gcp", "otp: true, sign: true", "release: aws, http: https://a.test, allow: GET /",
        "otp: true, as: bearer", "sign: true, allow: GET /", "decrypt: true, redirects: pass",
    ])
    func whatIsNoUseIsRefused(_ keys: String) {
        let file = Self.read("lend: s\nservices: { x: { item: a, \(keys) } }\n")
        #expect(file.profile == nil && !file.mistakes.isEmpty)
    }

    @Test func noAddressIsInTwoVariablesOfOneName() {
        for (former, next) in [("  api: {", "  Model: {"), ("set: anthropic", "set: { LENT_API: placeholder }")] {
            let file = Self.read(Self.right.replacing(former, with: next))
            #expect(file.mistakes.contains { $0.message.contains("is set twice") }, "\(file.mistakes)")
        }
    }

    @Test func loginsAreRead() {
        func read(_ accounts: [String]) -> LoanFile {
            let services = accounts.enumerated().map { "  s\($0): { item: ssh/work, ssh: \"\($1)\" }\n" }.joined()
            return Self.read("lend: site\nservices:\n\(services)")
        }
        let right = read(["git@GitHub.com", "root@github.com:22", "git@a.test:2222", "git@[::1]"])
        #expect(
            right.profile?.services.compactMap { $0.account?.address } == [
                "ssh://git@github.com", "ssh://root@github.com", "ssh://git@a.test:2222", "ssh://git@[::1]",
            ], "\(right.mistakes)")
        #expect(
            right.profile?.lines.contains(
                "  s2: logs in to [a.test]:2222 as git with ssh/work, and connects to that host")
                == true)
        let twice = read(["git@github.com", "git@github.com:2222"])
        #expect(twice.mistakes.map(\.position.line) == [4] && twice.profile == nil, "\(twice.mistakes)")
        #expect(twice.mistakes.first?.message.contains("another port") == true)
    }

    @Test func twoServicesSetNoVariableTwice() {
        let both = Self.right.replacing(
            "allow: GET /v1/**", with: "allow: GET /v1/**, set: { ANTHROPIC_API_KEY: placeholder }")
        #expect(Self.read(both).mistakes.contains { $0.message.contains("ANTHROPIC_API_KEY is set twice") })
    }
}
