import SecretTools
import Testing

/// Files of variables, and assignments on a command line.
@Suite struct EnvironmentTests {
    private func read(_ text: String) throws(EnvironmentFile.SyntaxError) -> [EnvironmentAssignment] {
        try EnvironmentFile.assignments(in: Array(text.utf8).span.bytes, file: "app.env")
    }

    /// Returns the assignments as `NAME=value`, with secrets in angle brackets.
    private func shown(_ assignments: [EnvironmentAssignment]) -> [String] {
        assignments.map { assignment in
            "\(assignment.variable)="
                + assignment.value.pieces.map {
                    switch $0 {
                    case .text(let text): text
                    case .secret(let name): "<\(name)>"
                    }
                }.joined()
        }
    }

    @Test func linesAreRead() throws {
        let rows: [(text: String, found: [String])] = [
            ("", []), ("\n\n  \n# a=b\n\t# c\n", []), ("A=b", ["A=b"]), ("A=b\r\nC=d\r\n", ["A=b", "C=d"]),
            ("\u{FEFF}A=b", ["A=b"]), ("  export  A=b", ["A=b"]), ("export=1", ["export=1"]), ("A=", ["A="]),
            ("A=''", ["A="]),
            ("A= b c  # d", ["A=b c"]), ("A=b#c", ["A=b#c"]), ("A=#c", ["A="]), ("A=b=c", ["A=b=c"]),
            ("A='b # \"c\" \\n $D' # e", ["A=b # \"c\" \\n $D"]), (#"A="b\n\t\r\\\"\$\`'c""#, ["A=b\n\t\r\\\"$`'c"]),
            ("A=\"b\r\nc\"\nD=e", ["A=b\nc", "D=e"]), ("A='b\n\nc'", ["A=b\n\nc"]), ("A=it's", ["A=it's"]),
            ("A=$HOME", ["A=$HOME"]), ("A=1\nB=2\nA=3", ["B=2", "A=3"]), ("_a1=2", ["_a1=2"]),
            ("PATH=/bin", ["PATH=/bin"]),
            ("A=latchkey://work/db", ["A=<work/db>"]), ("A='latchkey://a b'", ["A=<a b>"]),
            ("A=latchkey://a%20b%2Fc%C3%A9", ["A=<a b/cé>"]), ("A=\"latchkey://a\" # b", ["A=<a>"]),
            ("A=x:{{latchkey://a}}@{{ latchkey://b c }}/", ["A=x:<a>@<b c>/"]),
            ("A={{x}} {y} { {{", ["A={{x}} {y} { {{"]),
            ("A={{{latchkey://a}}}", ["A={<a>}"]), ("A=latchkey:/x", ["A=latchkey:/x"]),
        ]
        for row in rows { #expect(shown(try read(row.text)) == row.found, "\(row.text)") }
    }

    @Test func badLinesAreNamed() throws {
        let rows: [(text: String, line: Int, problem: EnvironmentError)] = [
            ("\nA", 2, .noAssignment), ("export A", 1, .noAssignment), ("A=1\n=b", 2, .badVariable),
            ("1A=b", 1, .badVariable),
            ("A B=c", 1, .badVariable), ("A =c", 1, .badVariable), ("Ä=c", 1, .badVariable), ("A=\"b", 1, .openQuote),
            ("A='b\nc\nd", 1, .openQuote), ("A=\"b\nc\"\nD", 3, .noAssignment), ("A='b'c", 1, .afterQuote),
            ("A=\"b\"#c", 1, .afterQuote), (#"A="\x""#, 1, .badEscape), ("A=\"b\\\n\"", 1, .badEscape),
            ("A=xlatchkey://a", 1, .bareReference), ("A={latchkey://a}", 1, .bareReference),
            ("A=x{{latchkey://a}", 1, .openReference), ("A=x{{latchkey://a", 1, .openReference),
            ("A=latchkey://a%2", 1, .badPercent), ("A=latchkey://%FF", 1, .badPercent), ("A=a\0b", 1, .noText),
            ("LD_PRELOAD=/x.so", 1, .loaders("LD_PRELOAD")), ("LD_FUTURE=1", 1, .loaders("LD_FUTURE")),
            ("PATH=latchkey://a", 1, .noPlaceForSecrets("PATH")),
            ("PATH=/x:{{latchkey://a}}", 1, .noPlaceForSecrets("PATH")),
        ]
        for row in rows {
            let error = #expect(throws: EnvironmentFile.SyntaxError.self, "\(row.text)") { try read(row.text) }
            #expect(error?.line == row.line, "\(row.text)")
            #expect(error?.problem == row.problem, "\(row.text)")
            #expect(error?.description.hasPrefix("app.env:\(row.line): ") == true)
        }
        let error = #expect(throws: EnvironmentFile.SyntaxError.self) { try read("A=1\nB=latchkey://a//b") }
        #expect(
            error?.description
                == "app.env:2: \"a//b\" has a slash with nothing before or after it: type a/b")
        #expect(throws: EnvironmentFile.SyntaxError.self) {
            try EnvironmentFile.assignments(in: ([65, 61, 0xFF] as [UInt8]).span.bytes, file: "x")
        }
    }

    /// A malformed line may be a part of a key without its quotes.
    @Test func noErrorShowsALine() throws {
        for text in [
            "A='b'hunter22", "hunter22", "hunter22 x=1", "A=\"\\hunter22\"", "A='hunter22", "A=hunter22latchkey://x",
        ] {
            let error = #expect(throws: EnvironmentFile.SyntaxError.self) { try read(text) }
            #expect(error?.description.contains("hunter22") == false)
        }
    }

    @Test func typedAssignmentsNameASecret() throws {
        #expect(shown([try EnvironmentAssignment(argument: "TOKEN=work/github = x")]) == ["TOKEN=<work/github = x>"])
        for text in [
            "TOKEN", "=a", "TOKEN=", "TOKEN=a//b", "1=a", "PATH=a", "IFS=a", "LD_LIBRARY_PATH=a", "BASH_ENV=a",
        ] {
            #expect(throws: EnvironmentError.self, "\(text)") { try EnvironmentAssignment(argument: text) }
        }
    }

    @Test func variablesOfTheEnvironmentStandForSecretsOrAreLetAlone() throws {
        let rows: [(value: String, found: String?)] = [
            ("latchkey://a/b", "X=<a/b>"), ("{{ latchkey://a }}:{{latchkey://b}}", "X=<a>:<b>"),
            ("a%7Blatchkey%3A//b", nil), ("plain", nil), ("{{a}}", nil), ("", nil), ("latchkey:/a", nil),
        ]
        for (value, found) in rows {
            #expect(
                try EnvironmentAssignment(inherited: "X", value).map { shown([$0]) } == found.map { [$0] }, "\(value)")
        }
        for (name, value) in [
            ("X", "see latchkey://a"), ("X", "{{latchkey://a"), ("X", "latchkey://"), ("PATH", "latchkey://a"),
            ("LD_PRELOAD", "{{latchkey://a}}"), ("1", "latchkey://a"),
        ] {
            #expect(throws: EnvironmentError.self, "\(value)") { try EnvironmentAssignment(inherited: name, value) }
        }
    }
}
