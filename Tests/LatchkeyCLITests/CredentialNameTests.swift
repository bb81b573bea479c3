import LatchkeyCLI
import Testing

/// The names that helpers give to credentials.
@Suite struct CredentialNameTests {
    @Test(arguments: [
        ("", "%"), (".", "%2E"), ("..", "%2E%2E"), ("a/b", "a%2Fb"), ("100%", "100%25"), ("%2F", "%252F"),
        ("a b", "a b"), ("<token>", "<token>"), ("née", "née"), ("a\nb\u{7F}", "a%0Ab%7F"), ("\u{200D}x", "%E2%80%8Dx"),
        ("e\u{301}", "e\u{301}"), ("https://index.docker.io/v1/", "https:%2F%2Findex.docker.io%2Fv1%2F"),
    ]) func partsOfNamesAreEscapedAndComeBack(_ part: String, _ escaped: String) {
        #expect(CredentialName.escaped(part).utf8.elementsEqual(escaped.utf8))
        #expect(CredentialName.unescaped(escaped).map { $0.utf8.elementsEqual(part.utf8) } == true)
    }

    @Test func whatNoHelperWritesStandsForNothing() {
        for part in ["%2", "a%", "%zz", "%FF"] { #expect(CredentialName.unescaped(part) == nil, "\(part)") }
    }
}
