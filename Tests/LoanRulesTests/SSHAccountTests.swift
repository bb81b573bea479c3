import LoanRules
import Testing

/// Users at hosts of SSH, as profiles and purposes name them.
@Suite struct SSHAccountTests {
    @Test func anAccountHasOneText() {
        for (text, address, known) in [
            ("git@github.com", "ssh://git@github.com", "github.com"),
            ("Git@GitHub.com:22", "ssh://Git@github.com", "github.com"),
            ("git@a.test:2222", "ssh://git@a.test:2222", "[a.test]:2222"),
            ("a_b.c-d@10.0.0.1", "ssh://a_b.c-d@10.0.0.1", "10.0.0.1"),
            ("git@[::1]", "ssh://git@[::1]", "::1"), ("git@[::1]:23", "ssh://git@[::1]:23", "[::1]:23"),
        ] {
            let account = SSHAccount(text)
            #expect(account?.address == address && account?.knownName == known, "\(text)")
            #expect(SSHAccount(address: address) == account && LoanTarget(address) == account.map { .logins($0) })
            #expect(account?.isPrivate == !["github.com", "a.example"].contains(account?.host ?? ""), "\(text)")
        }
    }

    @Test(arguments: [
        "", "@", "git@", "@github.com", "github.com", "git@github.com:", "git@github.com:0", "git@github.com:65536",
        "git@github.com:+22", "git@github.com:alice/site.git", "git@github.com/x", "git@a@b.c", "-oProxyCommand=x@a",
        "git@-oProxyCommand", "git@a b", "git @a", "git@a\nb", "gi t@a", "git@*", "git@a?", "git@!a", "g\"it@a",
        "git@ä",
        "ssh://git@github.com", "git@[::1", "git@::1",
    ])
    func aTextThatIsNone(_ text: String) { #expect(SSHAccount(text) == nil) }

    @Test(arguments: ["git@github.com", "SSH://git@github.com", "ssh://github.com", "ssh:git@github.com", "ssh://"])
    func aTextThatIsNoPurpose(_ text: String) { #expect(LoanTarget(text) == nil) }

    @Test func aPurposeSaysWhatItIs() throws {
        let target = try #require(LoanTarget("ssh://git@a.test:2222"))
        #expect(target.deed == "log in to [a.test]:2222 as git" && target.words == "logins to [a.test]:2222 as git")
        #expect(target.isOfKey && target.server == nil && target.account?.port == 2222)
    }
}
