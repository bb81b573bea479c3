import CommandLineKit
import Foundation
import MadeUpProgram
import TestSupport
import Testing

/// Tests of completion in a real zsh.
@Suite(.waitsForProcesses) struct ZshCompletionTests {
    private static let zsh = URL(filePath: "/usr/bin/zsh")

    private let place: CompletionPlace

    init() throws { place = try CompletionPlace() }

    /// Starts a zsh with the completion, either in a folder of `$fpath` or sourced.
    private func shell(isSourced: Bool = false) throws -> ShellInTerminal {
        try FileManager.default.createDirectory(atPath: place.path("functions"), withIntermediateDirectories: true)
        let script = try place.script(.zsh, as: isSourced ? "script" : "functions/_latchkey")
        let setup = """
            unsetopt global_rcs auto_list beep auto_menu list_beep auto_remove_slash
            PROMPT='ready> '
            RPROMPT=
            PROMPT_EOL_MARK=
            zle_highlight=(default:none)
            # Without the completions that are installed on this machine.
            fpath=('\(place.path("functions"))' ${fpath:#*/(site-functions|vendor-completions)})
            autoload -Uz compinit
            compinit -u -D
            \(isSourced ? "source '\(script)'" : "")
            # What is to be offered is told as well; where words are only asked about, nothing is.
            compadd() {
                if [[ " $* " == *' '-[OAD]' '* ]]; then
                    builtin compadd "$@"
                    return
                fi
                local -a hits
                builtin compadd -A hits "$@"
                (($#hits)) && print -rl -- "offered "${(Q)^hits} >>'\(place.path("record"))'
                builtin compadd "$@"
            }
            record() {
                print -r -- "line $BUFFER" >>'\(place.path("record"))'
                BUFFER=
                zle -I
                print recorded
            }
            zle -N record
            bindkey -e
            bindkey '^Xp' record
            bindkey '^I' complete-word
            cd '\(place.path("files"))'

            """
        try place.write(setup, as: ".zshrc")
        return try ShellInTerminal(
            "exec zsh -d -i", record: place.path("record"),
            environment: place.environment.merging(["ZDOTDIR": place.path("")]) { $1 })
    }

    /// Returns the words into which zsh splits a line.
    private func words(_ line: String) throws -> [String] {
        let run = try Command.run(
            ["-fc", "latchkey() { print -rl -- \"$@\"; }; \(line)"], environment: place.environment, program: Self.zsh)
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
        for name in MadeUp.names {
            let line = try shell.complete("latchkey get " + quote + String(name.prefix(1))).line
            #expect(try words(line) == ["get", name], "\(line)")
        }
    }

    private static let lines: [(String, [String])] = [
        ("latchkey get d:", ["get", "d:e"]), ("latchkey get u:v=", ["get", "u:v=w x"]),
        ("latchkey run --env=a", ["run", "--env=a b"]), ("latchkey run --env d:", ["run", "--env", "d:e"]),
        ("latchkey run --env=x --env=d", ["run", "--env=x", "--env=d:e"]),
        ("latchkey get --shape=a", ["get", "--shape=a square"]), ("latchkey get --shape x", ["get", "--shape", "x:y"]),
        ("latchkey get --shape it", ["get", "--shape", "it's"]),
        ("latchkey get -o tw", ["get", "-o", "two words.yaml"]),
        ("latchkey get --output=tw", ["get", "--output=two words.yaml"]),
        ("latchkey put x one", ["put", "x", "one folder/"]),
        ("latchkey put x y tw", ["put", "x", "y", "two words.yaml"]),
        ("latchkey put x y z tw", ["put", "x", "y", "z", "two words.yaml"]),
        ("latchkey biometry remove l", ["biometry", "remove", "left thumb"]),
        ("latchkey get -- a", ["get", "--", "a b"]), ("latchkey get --field x a", ["get", "--field", "x", "a b"]),
        ("latchkey get -- --o", ["get", "--", "--o"]), ("latchkey get a b", ["get", "a", "b"]),
        ("latchkey part a\\ b u", ["part", "a b", "user"]), ("latchkey part 'a b' i", ["part", "a b", "its url"]),
        ("latchkey part --place=y x/y p", ["part", "--place=y", "x/y", "placed"]),
        ("latchkey lend --set V=d", ["lend", "--set", "V=d:e"]), ("latchkey lend --set x", ["lend", "--set", "x"]),
        ("latchkey lend --set=V=a", ["lend", "--set=V=a b"]), ("latchkey lend --way w", ["lend", "--way", "well"]),
        ("latchkey lend --place one\\ folder p", ["lend", "--place", "one folder", "placed"]),
        ("latchkey lend --place='one folder' p", ["lend", "--place=one folder", "placed"]),
        ("latchkey lend a\\ b latch", ["lend", "a b", "latchkey"]), ("latchkey run latch", ["run", "latchkey"]),
        ("latchkey run -- latch", ["run", "--", "latchkey"]),
        ("latchkey run --env x cat tw", ["run", "--env", "x", "cat", "two words.yaml"]),
        ("latchkey run latchkey ge", ["run", "latchkey", "get"]),
        ("latchkey lend x latchkey get v", ["lend", "x", "latchkey", "get", "vöw"]),
        ("latchkey ask biometry en", ["ask", "biometry", "enroll"]), ("latchkey ask bio", ["ask", "biometry"]),
    ]

    @Test func aLineIsCompleted() throws {
        let shell = try shell()
        for (line, expected) in Self.lines {
            let completed = try shell.complete(line).line
            let words = try words(completed)
            #expect(words == expected, "\(completed)")
        }
    }

    @Test func itCanBeSourcedAsWell() throws {
        let shell = try shell(isSourced: true)
        #expect(try shell.complete("latchkey g").line == "latchkey get ")
        #expect(try shell.complete("latchkey get a").line == "latchkey get a\\ b ")
    }
}
