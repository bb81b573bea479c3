import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// `latchkey run`, with real children.
@Suite(.waitsForProcesses) struct RunCommandTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("db/password", "alphasecret")
        try vault.set("api/token", "be ta%secret")
    }

    private static let assignments = [
        ("latchkey run --env P=db/password -- printenv P", "alphasecret"),
        ("latchkey run -e P=db/password printenv P", "alphasecret"),
        ("P=latchkey://db/password latchkey run -- printenv P", "alphasecret"),
        ("P=latchkey://db%2Fpassword latchkey run -- printenv P", "alphasecret"),
        (
            "P='u:{{latchkey://db/password}}@h {{latchkey://api/token}}' latchkey run -- printenv P",
            "u:alphasecret@h be ta%secret"
        ),
        ("printf 'P=latchkey://api/token' >e; latchkey run --env-file e -- printenv P", "be ta%secret"),
        ("printf 'P=a\\nP=b' >e; echo 'P=c' >f; latchkey run --env-file e --env-file f -- printenv P", "c"),
        (
            "echo 'P=file' >e; P=latchkey://nothing latchkey run --env-file e --env P=db/password -- printenv P",
            "alphasecret"
        ),
        ("echo 'P=file' >e; P=latchkey://nothing latchkey run --env-file e -- printenv P", "file"),
        ("P='say {{hello}}' latchkey run -- printenv P", "say {{hello}}"),
        ("P=a=b= latchkey run --env Q=db/password -- printenv P", "a=b="),
    ]

    @Test func variablesAreSetFromEachPlace() throws {
        for (line, value) in Self.assignments {
            let line = line.replacing("latchkey run", with: "latchkey run --yes --no-masking")
            let run = try vault.sh("cd; \(line)")
            #expect(run.output == value + "\n" && run.status == 0 && run.errors.isEmpty, "\(line): \(run)")
        }
    }

    private static let mistakes: [(line: String, status: Int32, words: String)] = [
        ("latchkey run --env P=nothing -- touch made", 4, "nothing: "),
        ("latchkey run --env P=db/password --env Q=nothing -- touch made", 4, "nothing: "),
        ("latchkey run --env P=zero -- touch made", 2, "zero has a zero byte"),
        ("latchkey run --env P=asks -- touch made", 8, "authentication is needed"),
        ("latchkey run --env P=long -- touch made", 2, "P would be longer than the 128 KiB"),
        ("latchkey run --env P -- touch made", 2, "--env P: there is no \"=\""),
        ("latchkey run --env PATH=db/password -- touch made", 2, "PATH"),
        ("latchkey run --env LD_PRELOAD=db/password -- touch made", 2, "LD_PRELOAD"),
        ("echo 'P=latchkey://a//b' >e; latchkey run --env-file e -- touch made", 2, "e:1: "),
        ("latchkey run --env-file nofile -- touch made", 2, "nofile: No such file"),
        ("P='x latchkey://db/password' latchkey run -- touch made", 2, "P in the environment: "),
        ("latchkey run --env P=db/password -- nosuchcommand", 127, "nosuchcommand: there is no such command"),
        ("latchkey run --env P=db/password -- ./nosuch", 127, "./nosuch: No such file or directory"),
        ("latchkey run --env P=db/password -- /etc/passwd", 126, "/etc/passwd: Permission denied"),
        ("latchkey run --env P=db/password -- /", 126, "/: Permission denied"),
        ("latchkey run -- nosuchcommand", 127, "nosuchcommand: there is no such command"),
        ("PATH=/nowhere; $L run --env P=db/password -- touch made", 127, "touch: there is no such command"),
        ("latchkey run --env P=db/password", 2, "COMMAND is missing"),
        ("latchkey run P=db/password -- true", 2, "latchkey run --env P=NAME -- COMMAND sets P to the secret NAME"),
    ]

    @Test func whereSomethingIsWrongNothingIsStarted() throws {
        try vault.set("zero", [0x61, 0x61, 0, 0x61])
        try vault.set("asks", "gammasecret", .usual)
        try vault.set("long", String(repeating: "long", count: 40_000))
        for (line, status, words) in Self.mistakes {
            let run = try vault.sh("cd; \(line)", ["L": Command.binary.path])
            #expect(run.status == status && run.output.isEmpty, "\(line): \(run)")
            #expect(run.errors.hasPrefix("latchkey: ") && run.errors.contains(words), "\(line): \(run.errors)")
            for secret in ["alphasecret", "gammasecret", "longlong"] { #expect(!run.errors.contains(secret)) }
            #expect(!FileManager.default.fileExists(atPath: vault.path("made")))
        }
    }

    @Test func whatIsPrintedIsConcealedInBothStreamsInItsOrder() throws {
        let run = try vault.sh(
            "latchkey run --env P=db/password -- sh -c 'echo a $P b; echo c$P$P >&2; printf alphasec; printf ret; echo; echo end'"
        )
        #expect(run.output == "a <concealed by latchkey> b\n<concealed by latchkey>\nend\n")
        #expect(run.errors == "c<concealed by latchkey>\n" && run.status == 0)
    }

    @Test func aSecretThatIsTooShortIsNamedAndPrinted() throws {
        try vault.set("pin", "123")
        let run = try vault.sh("latchkey run --env P=pin -- printenv P")
        #expect(run.output == "123\n")
        #expect(run.errors == "latchkey: pin is too short to conceal: the output of the command may show it\n")
    }

    @Test(arguments: ["", "--no-masking"]) func theStatusIsThatOfTheCommand(_ option: String) throws {
        let run = "latchkey run \(option) --env P=db/password --"
        for status in [0, 1, 42, 255] {
            #expect(try vault.sh("\(run) sh -c 'exit \(status)'").status == Int32(status))
        }
        for signal in [1, 2, 3, 6, 9, 10, 11, 13, 14, 15, 34] {
            let line = "import subprocess,sys; print(subprocess.call(sys.argv[1:]))"
            let died = try vault.sh("python3 -c '\(line)' \(run) sh -c 'kill -\(signal) $$'")
            #expect(died.output == "-\(signal)\n", "\(signal)")
        }
    }

    @Test func aScriptWithoutItsFirstLineIsOneForTheShell() throws {
        let script = "printf 'echo $1 $P' >s; chmod +x s; for o in --no-masking --env=Q=api/token; do"
        let run = try vault.sh("cd; \(script) latchkey run $o --env P=db/password -- ./s one; done")
        #expect(run.output == "one alphasecret\none <concealed by latchkey>\n")
    }

    @Test func noSecretIsInArgumentsOrInTheEnvironmentOfTheCommandItself() throws {
        // The child looks at its parent, which is `latchkey run`.
        let look =
            "tr '\\0' ' ' </proc/$PPID/cmdline; tr '\\0' ' ' </proc/$PPID/environ || echo denied; cat /proc/$PPID/comm"
        let run = try vault.sh("P=latchkey://db/password latchkey run --yes -- sh -c \"$LOOK\" 2>&1", ["LOOK": look])
        #expect(run.output.hasPrefix("latchkey run --yes -- sh -c") && run.output.hasSuffix("latchkey\n"))
        #expect(run.output.contains(getuid() == 0 ? "P=latchkey://db/password" : "denied"))
        #expect(!run.output.contains("<concealed") && !run.output.contains("alphasecret"))
    }

    @Test func theChildHasItsLimitOfCoresAndWeLeaveNone() throws {
        let run = try vault.sh(
            "ulimit -S -c $(ulimit -H -c); ulimit -c; latchkey run --env P=db/password -- sh -c 'ulimit -c'")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == lines.last)
    }

    /// In /proc, root owns the files of a process that cannot be dumped, and everyone can see the owner.
    @Test(.needsOrdinaryUser) func nobodyLooksIntoTheCommandThatHoldsSecrets() throws {
        let owner = try vault.sh(
            "latchkey run --env P=db/password -- sh -c 'stat -c %u /proc/$PPID/environ /proc/self/environ'")
        #expect(owner.output == "0\n\(getuid())\n")
    }

    @Test func oneProofDoesForAllThatDemandTheSame() throws {
        try vault.set("one", "onesecret", .usual)
        try vault.set("two", "twosecret", .usual)
        let terminal = try CommandInTerminal(
            "run --env A=one --env B=two -- sh -c 'echo [$A] [$B]; exit 5'", environment: vault.environment)
        #expect(terminal.wait(for: "Passcode: "))
        try terminal.type("\(UnlockedVault.passcode)\n")
        #expect(try terminal.end() == 5)
        #expect(terminal.shown.ranges(of: "Passcode: ").count == 1)
        #expect(terminal.shown.contains("wants to run sh with one and two.\r\n"))
        #expect(terminal.shown.contains("[<concealed by latchkey>] [<concealed by latchkey>]"))
    }

    @Test func whatNobodyTypedIsAskedAbout() throws {
        try vault.set("one", "onesecret", .usual)
        try Data("A=latchkey://one\nB=latchkey://db/password\nC=plain\n".utf8).write(
            to: URL(filePath: vault.path("e\u{1B}[31m")))
        let line = "run --env-file ~/e* --env D=db/password -- sh -c 'echo [$A] $C'"
        let environment = vault.environment.merging(["X": "latchkey://api/token"]) { $1 }
        let question =
            "e?[31m names these secrets for sh:\r\n  A = one\r\n  B = db/password\r\n"
            + "the environment names these secrets for sh:\r\n  X = api/token\r\nHand them over? [y/N] "
        let declined = try CommandInTerminal(line, environment: environment)
        #expect(declined.wait(for: "[y/N] "))
        try declined.type("n\n")
        #expect(try declined.end() == 6)
        #expect(declined.shown.contains(question), "\(declined.shown)")
        #expect(
            declined.shown.contains("sh was not started, and no secret was read")
                && !declined.shown.contains("Passcode"))
        let accepted = try CommandInTerminal(line, environment: environment)
        #expect(accepted.wait(for: "[y/N] "))
        try accepted.type("y\n")
        #expect(accepted.wait(for: "Passcode: "))
        try accepted.type("\(UnlockedVault.passcode)\n")
        #expect(try accepted.end() == 0)
        #expect(
            accepted.shown.contains("wants to run sh with one, db/password and api/token.\r\n"), "\(accepted.shown)")
        #expect(accepted.shown.contains("[<concealed by latchkey>] plain"))
        // Without a terminal, there is no question, and nothing is read.
        let reads = try vault.sh("latchkey log --json | grep -c readData").output
        for (line, place) in [
            ("latchkey run --env-file ~/e* -- touch ~/made", "e?[31m names secrets"),
            ("X=latchkey://db/password latchkey run -- touch ~/made", "the environment names secrets"),
        ] {
            let refused = try vault.sh(line)
            #expect(refused.status == 8 && refused.errors.contains(place) && refused.errors.contains("--yes"))
            #expect(!FileManager.default.fileExists(atPath: vault.path("made")))
            #expect(try vault.sh("latchkey log --json | grep -c readData").output == reads)
        }
        // --env overrides a reference in the environment.
        #expect(try vault.sh("X=latchkey://one latchkey run --env X=db/password -- true").status == 0)
    }

    @Test func aPromptNamesEverySecretHoweverManyThereAre() throws {
        let names = (0..<30).map { "a/long/name/for/a/secret/number/\($0)" }
        for name in names { try vault.set(name, "secret\(name)", .usual) }
        let options = names.enumerated().map { "--env V\($0)=\($1)" }.joined(separator: " ")
        let terminal = try CommandInTerminal("run \(options) -- true", environment: vault.environment)
        #expect(terminal.wait(for: "Passcode: "))
        let (list, _) = try #require(
            terminal.shown.firstRange(of: " wants to ").map {
                (terminal.shown[..<$0.lowerBound], $0)
            })
        #expect(list.contains("true gets these secrets:\r\n") && names.allSatisfy { list.contains("  \($0)\r\n") })
        #expect(terminal.shown.contains("wants to run true with the 30 secrets that are listed above.\r\n"))
        try terminal.type("\(UnlockedVault.passcode)\n")
        #expect(try terminal.end() == 0)
        #expect(terminal.shown.ranges(of: "Passcode: ").count == 1)
        #expect(terminal.shown.ranges(of: "gets these secrets").count == 1)
    }
}
