import LoanRules
import TestSupport
import Testing

/// The paths that a profile allows.
@Suite struct PathPatternTests {
    @Test(arguments: [
        (
            "/v1/messages", ["/v1/messages"],
            ["/v1/message", "/v1/messages/", "/v1/messages/1", "/V1/messages", "/v1", "v1/messages", ""]
        ),
        ("/", ["/"], ["/a", "", "//"]),
        (
            "/repos/*/issues", ["/repos/a/issues", "/repos//issues"],
            ["/repos/issues", "/repos/a/b/issues", "/repos/a/issues/1"]
        ),
        ("/repos/**", ["/repos/", "/repos/a", "/repos/a/b/c"], ["/repos", "/reposx/a", "/repo/a"]),
        ("/**", ["/", "/a", "/a/b"], [""]),
        ("/site-*/**", ["/site-/x", "/site-preview/a/b"], ["/site-preview", "/sites/x", "/xsite-a/b"]),
        ("/*.json", ["/a.json", "/.json", "/a.json.json"], ["/a.jsonx", "/a/b.json"]),
        ("/a*b*c", ["/abc", "/aXbYc", "/abbcbc"], ["/ab", "/acb", "/abcd"]),
    ])
    func aPatternMatches(_ pattern: String, _ matching: [String], _ others: [String]) throws {
        let pattern = try #require(PathPattern(pattern))
        for path in matching { #expect(pattern.matches(path), "\(path)") }
        for path in others { #expect(!pattern.matches(path), "\(path)") }
    }

    @Test(arguments: [
        "", "v1", "*", "**", "/a/**/b", "/a**", "/**a", "/a//b", "//a", "/a?b", "/a#b", "/a b", "/ä", "/a\n", "/a//**",
        "/" + String(repeating: "a", count: 1024),
    ])
    func aTextThatIsNoPattern(_ text: String) { #expect(PathPattern(text) == nil) }

    /// Compares with a second evaluator, which tries every way to share a path among the stars.
    @Test func aSecondEvaluatorAgrees() throws {
        var random = SeededGenerator(seed: DaySample.seed)
        var matches = 0
        for _ in 0..<20_000 {
            let text = "/" + Self.word("ab*/", &random)
            let path = "/" + Self.word("ab/", &random)
            guard let pattern = PathPattern(text) else { continue }
            let isMatch = Self.matches(Array(text.utf8)[...], Array(path.utf8)[...])
            if isMatch { matches += 1 }
            #expect(pattern.matches(path) == isMatch, "\(text) \(path)")
        }
        #expect(matches > 100)
    }

    private static func word(_ letters: String, _ random: inout SeededGenerator) -> String {
        String((0..<Int.random(in: 0...7, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
    }

    private static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if Array(pattern) == Array("/**".utf8) { return path.first == UInt8(ascii: "/") }
        if first == UInt8(ascii: "*") {
            if matches(pattern.dropFirst(), path) { return true }
            guard let next = path.first, next != UInt8(ascii: "/") else { return false }
            return matches(pattern, path.dropFirst())
        }
        return path.first == first && matches(pattern.dropFirst(), path.dropFirst())
    }
}
