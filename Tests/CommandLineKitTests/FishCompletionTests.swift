import CommandLineKit
import Foundation
import MadeUpProgram
import TestSupport
import Testing

/// Tests of completion in a real fish.
@Suite(.waitsForProcesses) struct FishCompletionTests {
    private static let fish = URL(filePath: "/usr/bin/fish")

    private let place: CompletionPlace

    init() throws { place = try CompletionPlace() }

    /// Returns the offers of fish for each of the lines.
    private func offered(_ lines: [String]) throws -> [Set<String>] {
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
        let script = try place.script(.fish)
        let arguments = [place.path("asking"), script, place.path("files")] + lines
        let run = try Command.run(["--no-config"] + arguments, environment: environment, program: Self.fish)
        #expect(run.errors.isEmpty)
        return run.output.components(separatedBy: "=\n").dropLast().map { block in
            Set(block.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
        }
    }

    private var environment: [String: String] {
        place.environment.merging(["XDG_CONFIG_HOME": place.path("config"), "XDG_DATA_HOME": place.path("data")]) { $1 }
    }

    @Test func allThatIsDeclaredIsOffered() throws {
        let cases = Expected.cases(of: MadeUp.program)
        for (one, offered) in zip(cases, try offered(cases.map(\.line))) {
            #expect(offered == one.offered, "\(one)")
        }
    }

    @Test func namesAreOfferedAsTheyAre() throws {
        let lines = ["latchkey get ", "latchkey run --env ", "latchkey lend ", "latchkey biometry remove "]
        let all = Set(MadeUp.names)
        #expect(try offered(lines) == [all, all, all, Set(MadeUp.enrolled)])
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
        for (one, offered) in zip(cases, try offered(cases.map(\.line))) {
            #expect(offered == one.offered, "\(one.line)")
        }
    }

    @Test func anOfferHasItsOwnDescriptionOrNone() throws {
        let script = try place.script(.fish)
        let lines = ["latchkey lend --way ", "latchkey get --shape ", "latchkey run --env g"]
        let asking =
            "set --global fish_complete_path\nsource $argv[1]\n" + lines.map { "complete -C '\($0)'\n" }.joined()
        try place.write(asking, as: "asking")
        let run = try Command.run(
            ["--no-config", place.path("asking"), script], environment: environment, program: Self.fish)
        #expect(
            run.output.split(separator: "\n") == [
                "fast\tit's quick: at once", "well\twith \"care\"", "a square", "it's", "round", "x:y", "g;h",
            ], "\(run)")
    }
}
