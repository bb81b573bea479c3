import HTTPWire
import LoanRules
import Testing

/// Rules for repositories, and the requests that they allow.
@Suite struct GitRuleTests {
    private static func loan(_ rules: String...) throws -> GitLoan {
        let read = rules.compactMap { GitRule($0) }
        try #require(read.count == rules.count)
        return try #require(GitLoan(path: "/alice/site.git", rules: read))
    }

    private static func change(_ old: Character, _ new: Character, _ ref: String) throws -> GitPush {
        let payload = "\(String(repeating: old, count: 40)) \(String(repeating: new, count: 40)) \(ref)"
        let digits = String(payload.utf8.count + 4, radix: 16)
        var reader = GitPushReader()
        let text = String(repeating: "0", count: 4 - digits.count) + digits + payload + "0000"
        guard case .push(let push) = try reader.read(Array(text.utf8), isWhole: true) else { throw GitFault.endsEarly }
        return push
    }

    @Test(arguments: [
        ("push agent/*", "refs/heads/agent/fix", true), ("push agent/*", "refs/heads/agent/a/b", false),
        ("push agent/*", "refs/heads/agent", false), ("push agent/*", "refs/tags/agent/fix", false),
        ("push agent/*", "refs/agent/fix", false), ("push agent/**", "refs/heads/agent/a/b", true),
        ("push main", "refs/heads/main", true), ("push main", "refs/heads/Main", false),
        ("push *", "refs/heads/a", true), ("push *", "refs/heads/a/b", false), ("push **", "refs/heads/a/b", true),
        ("push **", "refs/tags/a", false), ("push tags/v*", "refs/tags/v1", true),
        ("push tags/v*", "refs/heads/tags/v1", false), ("push refs/for/main", "refs/for/main", true),
        ("push refs/heads/tags/v*", "refs/heads/tags/v1", true), ("fetch", "refs/heads/a", false),
        ("update agent/*", "refs/heads/agent/fix", false), ("delete agent/*", "refs/heads/agent/fix", false),
    ])
    func aRuleAllowsNewRefs(_ rule: String, _ ref: String, _ isAllowed: Bool) throws {
        #expect((try Self.loan(rule).refused(Self.change("0", "1", ref)) == nil) == isAllowed)
    }

    @Test func aPromptHasTheRefsOfAllRules() throws {
        let loan = try Self.loan("fetch", "push agent/*", "update main", "delete tags/v*")
        #expect(loan.refs == ["agent/*", "main (update)", "tags/v* (deletion)"])
    }

    @Test func eachVerbAllowsItsEffectAlone() throws {
        for (rule, allowed) in [("push a", 0), ("update a", 1), ("delete a", 2)] {
            for (number, objects) in [("0", "1"), ("1", "2"), ("1", "0")].enumerated() {
                let push = try Self.change(Character(objects.0), Character(objects.1), "refs/heads/a")
                #expect((try Self.loan(rule).refused(push) == nil) == (number == allowed), "\(rule) \(number)")
            }
        }
    }

    @Test(arguments: [
        "", "push", "push ", "fetch main", "pull main", "Push main", "push a b", "push  a", "push /a", "push a/",
        "push a//b",
        "push a**", "push **/a", "push a..b", "push a b", "push .a", "push a.lock", "push a:b", "push +a",
        "push refs/a",
        "push ä", "push a?",
    ])
    func whatIsNoRuleIsRefused(_ text: String) {
        // A plus is a letter of names, and no force.
        #expect(GitRule(text) == nil || text == "push +a")
    }

    @Test(arguments: [
        ("GET", "/alice/site.git/info/refs", "service=git-upload-pack", GitLoan.Request.beginsFetch),
        ("GET", "/alice/site.git/info/refs", "service=git-receive-pack", .beginsPush),
        ("POST", "/alice/site.git/git-upload-pack", nil, .fetch),
        ("POST", "/alice/site.git/git-receive-pack", nil, .push),
        ("GET", "/alice/site.git/info/refs", nil, nil), ("GET", "/alice/site.git/info/refs", "", nil),
        ("GET", "/alice/site.git/info/refs", "service=git-upload-pack&a=b", nil),
        ("POST", "/alice/site.git/git-upload-pack", "", nil), ("GET", "/alice/site.git/git-upload-pack", nil, nil),
        ("HEAD", "/alice/site.git/info/refs", "service=git-upload-pack", nil),
        ("POST", "/alice/site.git/info/lfs/objects/batch", nil, nil),
        ("POST", "/alice/site.git/info/lfs/locks", nil, nil),
        ("GET", "/alice/site.git/HEAD", nil, nil), ("GET", "/alice/site/info/refs", "service=git-upload-pack", nil),
        ("POST", "/alice/site.git2/git-upload-pack", nil, nil), ("POST", "/alice/other.git/git-upload-pack", nil, nil),
        ("POST", "/alice/site.git/git-upload-pack/", nil, nil), ("POST", "/x/alice/site.git/git-upload-pack", nil, nil),
    ])
    func onlyRequestsOfGitAreAllowed(_ method: String, _ path: String, _ query: String?, _ request: GitLoan.Request?)
        throws
    {
        #expect(try Self.loan("fetch", "push a").request(method, path, query: query) == request)
        let isFetch = [.beginsFetch, .fetch].contains(request)
        #expect(try Self.loan("fetch").request(method, path, query: query) == (isFetch ? request : nil))
        #expect(try Self.loan("delete a").request(method, path, query: query) == (isFetch ? nil : request))
    }

    @Test func aRepositoryHasAnAddress() throws {
        let (server, path) = try #require(GitLoan.address("https://GitHub.com:443/alice/site.git/"))
        #expect(server.text == "https://github.com" && path == "/alice/site.git")
        for text in [
            "https://github.com", "https://github.com/", "http://github.com/a", "git@github.com:a/b",
            "https://github.com//a",
            "https://github.com/a/../b", "https://github.com/a%2fb", "https://github.com/a?b", "https://u@github.com/a",
        ] { #expect(GitLoan.address(text) == nil, "\(text)") }
        let addresses = try Self.loan("fetch").addresses(at: server)
        #expect(addresses == ["https://github.com/alice/site", "https://github.com/alice/site.git"])
    }
}
