import SecretTools
import Testing

/// Names of which some letters were typed.
@Suite struct FuzzyMatchTests {
    private static let names = [
        "home/token", "work/github/token", "work/gitlab/tokens", "mail", "Gmail", "ключ/пароль", "a/mail/b",
    ]

    private static let rows: [(text: String, found: [String])] = [
        ("token", ["home/token", "work/github/token", "work/gitlab/tokens"]),
        ("TOKENS", ["work/gitlab/tokens"]), ("ghtok", ["work/github/token"]), ("mail", ["mail", "a/mail/b", "Gmail"]),
        ("пар", ["ключ/пароль"]), ("nekot", []), ("", []), ("work/", ["work/github/token", "work/gitlab/tokens"]),
        ("wgt", ["work/github/token", "work/gitlab/tokens"]), ("tokenss", []),
    ]

    @Test(arguments: rows) func theBestComeFirst(text: String, found: [String]) {
        #expect(FuzzyMatch.best(.max, for: text, among: Self.names) == found)
        #expect(FuzzyMatch.best(1, for: text, among: Self.names) == Array(found.prefix(1)))
    }
}
