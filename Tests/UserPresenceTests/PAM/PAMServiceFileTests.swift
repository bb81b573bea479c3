import Testing
import UserPresence

/// The modules and files that a service file names.
@Suite struct PAMServiceFileTests {
    private func references(_ text: String) -> [PAMServiceFile.Reference]? {
        PAMServiceFile.references(in: Array(text.utf8))
    }

    @Test func modulesOfEveryKindOfLineAreNamed() {
        let text = """
            # auth required /comment.so
            auth required /a.so nullok passdb=/not/this.so
            \taccount\t sufficient\t/b.so
            -auth   optional  /c.so # /not/this.so
            - auth
            auth [success=1 default=ignore] /d.so
            auth [success=ok \\] default=die] /e.so
            AUTH Required /f.so
            session required pam_deny.so
            nonsense required /g.so
            auth required [/h i.so] nullok
            auth required
            auth

               #
            """
        #expect(
            references(text) == [
                .module("/a.so"), .module("/b.so"), .module("/c.so"), .module("/d.so"), .module("/e.so"),
                .module("/f.so"), .module("pam_deny.so"), .module("/g.so"), .module("/h i.so"),
            ])
    }

    @Test func theArgumentsOfAModuleAreThoseOfEachOfItsLines() {
        let text = """
            auth optional /lib/pam_a.so debug [exe=/b c]
            session optional pam_a.so
            session optional pam_a.so.old exe=/d
            @include pam_a.so
            -session [default=ignore] pam_a.so \
              exe=/e # debug
            """
        #expect(
            PAMServiceFile.arguments(of: "pam_a.so", in: Array(text.utf8)) == [["debug", "exe=/b c"], [], ["exe=/e"]])
    }

    @Test func includedFilesAreNamed() {
        let text = """
            @include common-auth
            auth include /etc/one
            -auth substack two
            auth INCLUDE three
            @Include  four five
            @include
            """
        #expect(
            references(text) == [
                .file("common-auth"), .file("/etc/one"), .file("two"), .file("three"), .file("four"),
            ])
    }

    @Test func aBackslashAtItsEndJoinsALineToTheNext() {
        #expect(
            references("auth \\\n required \\  \n\t/a.so \\\n nullok\nauth required /b.so") == [
                .module("/a.so"), .module("/b.so"),
            ])
        #expect(references("auth required\\\n/a.so") == [.module("/a.so")])
        // A comment ends its line, even before a backslash.
        #expect(references("auth required /a.so # \\\nauth required /b.so") == [.module("/a.so"), .module("/b.so")])
        #expect(references("# \\\nauth required /b.so") == [.module("/b.so")])
        #expect(references("auth required /a.so \\") == [.module("/a.so")])
    }

    @Test func lineEndsAndBlanksOfOtherSystemsAreBlanks() {
        #expect(references("auth required /a.so\r\nauth required /b.so\r\n") == [.module("/a.so"), .module("/b.so")])
        #expect(references("auth\u{0B}required\u{0C}/a.so") == [.module("/a.so")])
    }

    @Test func whatIsNoTextNamesNothingThatOneCouldGoBy() {
        #expect(PAMServiceFile.references(in: Array("auth required /a".utf8) + [0xFF] + Array(".so".utf8)) == nil)
        #expect(references("auth required /a.so\0\n") == nil)
        #expect(references("") == [])
        #expect(references("complete nonsense\n[[[[\n]]]\n\\\n\\") == [])
    }

    /// For any bytes the reader returns, and finds no name that is not there.
    @Test func noBytesConfuseIt() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "auth ", "\\", "\n", "[", "]", "#", "@include ", "/a.so", " ", "include ", "-", "\t", "\u{301}", "é",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...30)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for case .module(let name) in references(text) ?? [] { #expect(!name.contains("#"), "\(text)") }
        }
    }
}
