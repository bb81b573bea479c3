import CommandLineKit
import Foundation
import LatchkeyCLI
import TestSupport
import Testing

/// Tests of completion in a real fish.
@Suite(.waitsForProcesses) struct FishCompletionTests {
    private static let fish = URL(filePath: "/usr/bin/fish")

    private let place: CompletionPlace

    init() throws { place = try CompletionPlace() }

    /// Returns the offers of fish for each of the lines.
    private func offered(_ lines: [String], _ program: Declaration) throws -> [Set<String>] {
        try place.write(FishCompletion.script(of: program), as: "script")
        let asking = """
            set --global fish_complete_path
            source $argv[1]
            cd $argv[2]
            for line in $argv[3..-1]
                complete -C $line
                echo =
            end

            """
        try place.write(asking, as: "asking")
        let arguments = [place.path("asking"), place.path("script"), place.path("files")] + lines
        let run = try Command.run(["--no-config"] + arguments, environment: environment, program: Self.fish)
        #expect(run.errors.isEmpty)
        return run.output.components(separatedBy: "=\n").dropLast().map { block in
            Set(block.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
        }
    }

    private var environment: [String: String] {
        place.environment.merging(["XDG_CONFIG_HOME": place.path("config"), "XDG_DATA_HOME": place.path("data")]) { $1 }
    }

    @Test(arguments: [Latchkey.program, MadeUp.program]) func fishUnderstandsTheScript(_ program: Declaration) throws {
        try place.write(FishCompletion.script(of: program), as: "script")
        let run = try Command.run(["-n", place.path("script")], environment: environment, program: Self.fish)
        #expect(run.status == 0 && run.errors.isEmpty)
    }

    @Test(arguments: [Latchkey.program, MadeUp.program]) func allThatIsDeclaredIsOffered(_ program: Declaration) throws
    {
        let cases = Expected.cases(of: program)
        for (one, offered) in zip(cases, try offered(cases.map(\.line), program)) {
            #expect(offered == one.offered, "\(one)")
        }
    }

    @Test func namesAreOfferedAsTheyAre() throws {
        let lines = ["latchkey get ", "latchkey run --env ", "latchkey lend ", "latchkey biometry remove "]
        let all = Set(CompletionPlace.names)
        #expect(try offered(lines, MadeUp.program) == [all, all, all, Set(CompletionPlace.enrolled)])
    }

    @Test func aLineIsCompleted() throws {
        let cases: [(line: String, offered: Set<String>)] = [
            ("latchkey get -", ["--help", "-h", "--output", "-o", "--shape", "--field", "--quiet", "-q"]),
            ("latchkey get d:", ["d:e"]), ("latchkey get u:v=", ["u:v=w x"]), ("latchkey get 'a", ["a b"]),
            ("latchkey run --env=a", ["--env=a b"]), ("latchkey get --shape=x", ["--shape=x:y"]),
            ("latchkey get --shape it", ["it's"]), ("latchkey get -o tw", ["two words.yaml"]),
            ("latchkey get --output=tw", ["--output=two words.yaml"]), ("latchkey put x on", ["one folder/"]),
            ("latchkey put x y tw", ["two words.yaml"]), ("latchkey put x y z tw", ["two words.yaml"]),
            ("latchkey get -- a", ["a b"]), ("latchkey get --field x a", ["a b"]), ("latchkey get a b", []),
            ("latchkey part 'a b' ", ["user", "its url"]), ("latchkey part x/y --place y p", ["placed"]),
            ("latchkey lend --set V=d", ["V=d:e"]), ("latchkey lend --set x", []),
            ("latchkey lend --set=V=d", ["--set=V=d:e"]), ("latchkey lend --way w", ["well"]),
            ("latchkey lend --place one\\ folder p", ["placed"]),
            ("latchkey lend --place='one folder' --set A=p", ["A=placed"]),
            ("latchkey lend --place ~/one\\ folder h", ["home"]),
            ("latchkey lend a\\ b latch", ["latchkey"]), ("latchkey run -- latch", ["latchkey"]),
            ("latchkey run latch", ["latchkey"]), ("latchkey run latchkey ge", ["get"]),
            ("latchkey lend x latchkey get v", ["vöw"]), ("latchkey run --env x cat tw", ["two words.yaml"]),
            ("latchkey ask biometry en", ["enroll"]), ("latchkey ask bio", ["biometry"]), ("latchkey nothing ", []),
        ]
        for (one, offered) in zip(cases, try offered(cases.map(\.line), MadeUp.program)) {
            #expect(offered == one.offered, "\(one.line)")
        }
    }

    /// fish shows values with one description on one line, so each has its own, or an empty one.
    @Test func eachValueHasALineOfItsOwn() throws {
        try place.write(FishCompletion.script(of: MadeUp.program), as: "script")
        let lines = ["latchkey lend --way ", "latchkey get --shape ", "latchkey run --env g"]
        let asking =
            "set --global fish_complete_path\nsource $argv[1]\n" + lines.map { "complete -C '\($0)'\n" }.joined()
        try place.write(asking, as: "asking")
        let run = try Command.run(
            ["--no-config", place.path("asking"), place.path("script")], environment: environment, program: Self.fish)
        #expect(
            run.output.split(separator: "\n") == [
                "fast\tit's quick: at once", "well\twith \"care\"", "a square", "it's", "round", "x:y", "g;h",
            ], "\(run)")
    }
}
