import AccessPolicy
import AgentProtocol
import Testing

/// The rules of the Secret Service: what their text means, and what is wrong with it.
@Suite struct SecretRulesTests {
    @Test func theFirstRuleThatMatchesHolds() throws {
        let rules = try SecretRules(
            """
            # Comments and empty lines mean nothing.

            application=chromium -> once-per-session   # also behind a rule
            application=chrom*   -> each-time require=biometryCurrentSet
            "xdg:schema=org.example.With Space" user=* -> accessible=afterFirstUnlock require=nothing
            """)
        #expect(rules.rules.count == 3)
        func rule(_ attributes: [String: String]) -> SecretRules.Rule? { rules.rule(for: attributes) }
        #expect(rule(["application": "chromium", "a": "b"])?.frequency == .oncePerSession)
        #expect(rule(["application": "chromium"])?.text == "application=chromium -> once-per-session")
        #expect(rule(["application": "chrome"])?.frequency == .eachTime)
        #expect(rule(["application": "firefox"]) == nil && rule([:]) == nil)
        #expect(rule(["xdg:schema": "org.example.With Space"]) == nil)
        let usual = ItemPolicy(.whenUnlocked, .userPresence)
        #expect(
            rules.policy(for: ["application": "chrome"], usual: usual) == ItemPolicy(.whenUnlocked, .biometryCurrentSet)
        )
        #expect(rules.policy(for: ["application": "chromium"], usual: usual) == usual)
        #expect(
            rules.policy(for: ["xdg:schema": "org.example.With Space", "user": ""], usual: usual)
                == ItemPolicy(.afterFirstUnlock, []))
        #expect(rules.policy(for: [:], usual: usual) == usual)
    }

    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("*", "", true), ("*", "anything", true),
        ("a*", "a", true), ("a*", "ba", false), ("*a", "bca", true), ("*a", "ab", false), ("a*a", "a", false),
        ("a*a", "aa", true), ("a*b*c", "abc", true), ("a*b*c", "axxbyyc", true), ("a*b*c", "acb", false),
        ("*b*", "abc", true), ("*b*", "ac", false), ("**", "x", true), ("a**b", "ab", true), ("", "", true),
        ("", "x", false), ("*ab*ab*", "ab", false), ("*ab*ab*", "xabab", true), ("a.c", "abc", false),
    ])
    func aStarStandsForAnyText(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(SecretRules.AttributePattern(name: "n", value: pattern).matches(text) == matches)
    }

    @Test(arguments: [
        ("application=x", 1, "the \"->\" is missing"), ("-> each-time", 1, "name an attribute first"),
        ("\n\n  application -> each-time", 3, "column 3: application is no ATTRIBUTE=PATTERN"),
        ("=x -> each-time", 1, "is no ATTRIBUTE=PATTERN"),
        ("a=b a=c -> each-time", 1, "column 5: the attribute a is here twice"),
        ("a=b ->", 1, "say how often to ask"), ("a=b -> sometimes", 1, "column 8: \"sometimes\" means nothing here"),
        ("a=b -> each-time once-per-session", 1, "how often to ask is here twice"),
        ("a=b -> require=finger", 1, "\"finger\" is no flag"), ("a=b -> require=", 1, "\"\" is no flag"),
        ("a=b -> accessible=sometimes", 1, "is no accessibility class"),
        ("a=\"b -> each-time", 1, "column 3: this quotation mark"),
        ("a=b -> require=biometryAny,biometryCurrentSet,or,and", 1, "column 5"),
        ("a=b \"->\" each-time", 1, "the \"->\" is missing"),
    ])
    func anErrorNamesThePlace(_ text: String, _ line: Int, _ words: String) {
        do {
            _ = try SecretRules(text)
            Issue.record("no error for \(text)")
        } catch {
            #expect(error.message.hasPrefix("line \(line), column ") && error.message.contains(words), "\(error)")
        }
    }

    @Test func rulesThatAreTooLongAreRefused() {
        #expect(throws: AgentError.self) { try SecretRules(String(repeating: "#\n", count: SecretRules.longest)) }
    }
}
