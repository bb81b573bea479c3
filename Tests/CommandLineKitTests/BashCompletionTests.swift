import CommandLineKit
import Foundation
import MadeUpProgram
import TestSupport
import Testing

/// Tests of completion in a real bash.
@Suite(.waitsForProcesses) struct BashCompletionTests {
    private let place: CompletionPlace

    init() throws { place = try CompletionPlace() }

    /// Starts a bash with the completion. Its offers are compared without the backslashes that quote them.
    private func shell(before: String = "") throws -> ShellInTerminal {
        let script = try place.script(.bash)
        let setup = """
            \(before)
            PROMPT_COMMAND=
            PS1='ready> '
            cd '\(place.path("files"))'
            source '\(script)'
            bind 'set bell-style none'
            bind 'set completion-query-items 0'
            bind 'set page-completions off'
            bind 'set enable-bracketed-paste off'
            eval "original$(declare -f _latchkey)"
            _latchkey() {
                original_latchkey "$@"
                printf 'offered %s\\n' "${COMPREPLY[@]//\\\\}" >>'\(place.path("record"))'
            }
            record() {
                printf 'line %s\\n' "$READLINE_LINE" >>'\(place.path("record"))'
                READLINE_LINE= READLINE_POINT=0
                echo recorded
            }
            bind -x '"\\C-xp": record'

            """
        try place.write(setup, as: "setup")
        return try ShellInTerminal(
            "exec bash --noprofile --rcfile '\(place.path("setup"))' -i", record: place.path("record"),
            environment: place.environment)
    }

    /// Returns the words into which bash splits a line.
    private func words(_ line: String) throws -> [String] {
        let run = try Command.run(
            ["-c", "\(line)"], environment: place.environment.merging(["BASH_ENV": place.path("printing")]) { $1 },
            program: URL(filePath: "/bin/bash"))
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test func allThatIsDeclaredIsOffered() throws {
        let shell = try shell()
        for one in Expected.cases(of: MadeUp.program) {
            let offered = try shell.complete(one.line).offered
            #expect(offered == one.offered, "\(one)")
        }
    }

    @Test(arguments: ["", "'", "\""]) func aNameIsQuotedAsItIsTyped(_ quote: String) throws {
        let shell = try shell()
        try place.write("latchkey() { printf '%s\\n' \"$@\"; }\n", as: "printing")
        for name in MadeUp.names {
            let line = try shell.complete("latchkey get " + quote + String(name.prefix(1))).line
            #expect(line.hasSuffix(" "), "\(line)")
            #expect(try words(line) == ["get", name], "\(line)")
        }
    }

    private static let lines: [(String, String)] = [
        ("latchkey get d:", "latchkey get d:e "), ("latchkey get d\\:", "latchkey get d:e "),
        ("latchkey get 'd:", "latchkey get 'd:e' "), ("latchkey get u:v=", "latchkey get u:v=w\\ x "),
        ("latchkey get \"u:", "latchkey get \"u:v=w x\" "), ("latchkey get a\\ ", "latchkey get a\\ b "),
        ("latchkey run --env=a", "latchkey run --env=a\\ b "), ("latchkey run --env a", "latchkey run --env a\\ b "),
        ("latchkey run --env=d:", "latchkey run --env=d:e "),
        ("latchkey get --shape=a", "latchkey get --shape=a\\ square "),
        ("latchkey get --shape x", "latchkey get --shape x:y "),
        ("latchkey get --shape it", "latchkey get --shape it\\'s "),
        ("latchkey get -o tw", "latchkey get -o two\\ words.yaml "),
        ("latchkey get --output=tw", "latchkey get --output=two\\ words.yaml "),
        ("latchkey get --output \"tw", "latchkey get --output \"two words.yaml\" "),
        ("latchkey get --output ~/tw", "latchkey get --output ~/two\\ words.yaml "),
        ("latchkey put x one", "latchkey put x one\\ folder/"),
        ("latchkey put x y tw", "latchkey put x y two\\ words.yaml "),
        ("latchkey put x y z tw", "latchkey put x y z two\\ words.yaml "), ("latchkey put ", "latchkey put -"),
        ("latchkey biometry remove l", "latchkey biometry remove left\\ thumb "),
        ("latchkey get -- a", "latchkey get -- a\\ b "), ("latchkey get --field x a", "latchkey get --field x a\\ b "),
        ("latchkey get --field=x a", "latchkey get --field=x a\\ b "), ("latchkey get -- -", "latchkey get -- -"),
        ("latchkey get a b", "latchkey get a b"), ("latchkey part a\\ b u", "latchkey part a\\ b user "),
        ("latchkey part --place=y 'x/y' ", "latchkey part --place=y 'x/y' placed "),
        ("latchkey part 'a b' i", "latchkey part 'a b' its\\ url "), ("latchkey lend --on", "latchkey lend --once "),
        ("latchkey lend --set V=d", "latchkey lend --set V=d:e "), ("latchkey lend --set x", "latchkey lend --set x"),
        ("latchkey lend --set=V=a", "latchkey lend --set=V=a\\ b "),
        ("latchkey lend --set 'V=a", "latchkey lend --set 'V=a b' "),
        ("latchkey lend --way w", "latchkey lend --way well "),
        ("latchkey lend --place one\\ folder p", "latchkey lend --place one\\ folder placed "),
        ("latchkey lend --place='one folder' p", "latchkey lend --place='one folder' placed "),
        ("latchkey lend --place ~/one\\ folder --set A=h", "latchkey lend --place ~/one\\ folder --set A=home "),
        ("latchkey lend a\\ b latch", "latchkey lend a\\ b latchkey "),
        ("latchkey run -- latch", "latchkey run -- latchkey "), ("latchkey run latch", "latchkey run latchkey "),
        ("latchkey run --env x cat tw", "latchkey run --env x cat two\\ words.yaml "),
        ("latchkey ask biometry en", "latchkey ask biometry enroll "), ("latchkey ask bio", "latchkey ask biometry "),
        ("true; latchkey get a", "true; latchkey get a\\ b "), ("latchkey nothing x", "latchkey nothing x"),
    ]

    @Test func aLineIsCompleted() throws {
        let shell = try shell()
        for (line, expected) in Self.lines {
            let completed = try shell.complete(line).line
            #expect(completed == expected)
        }
    }

    /// With the package bash-completion, the command line of another program is completed by that program's own completion.
    @Test func aCommandCompletesItself() throws {
        let shell = try shell(before: "source /usr/share/bash-completion/bash_completion")
        #expect(try shell.complete("latchkey run latchkey ge").line == "latchkey run latchkey get ")
        #expect(
            try shell.complete("latchkey lend x:y -- latchkey get v").line == "latchkey lend x:y -- latchkey get vöw ")
        #expect(try shell.complete("latchkey run --env=x latchk").line == "latchkey run --env=x latchkey ")
        #expect(try shell.complete("latchkey get d").line == "latchkey get d:e ")
        #expect(try shell.complete("latchkey run latchkey get d:").line == "latchkey run latchkey get d:e ")
    }
}
