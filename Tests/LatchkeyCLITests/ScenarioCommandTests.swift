import Foundation
import TestSupport
import Testing

/// `latchkey test` and `new`, run as a user would run them.
@Suite(.waitsForProcesses) struct ScenarioCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static let passing = """
        name: the owner reads
        items: { token: { require: biometryAny } }
        steps:
          - { read: token, expect: { granted: biometry } }
        """
    private static let failing = """
        name: a stranger reads
        items: { token: { require: userPresence } }
        steps:
          - { read: token, by: stranger, expect: granted }
        """

    /// Writes a file into the folder, and returns its path.
    private func write(_ text: String, as name: String) throws -> String {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func whatPassesIsCounted() throws {
        let run = try Command.run("test", write(Self.passing, as: "a.yaml"))
        #expect(run.status == 0)
        #expect(run.output == "1 passed; 1 step\n")
        #expect(run.errors.isEmpty)
        #expect(try Command.run("test", folder.path("a.yaml"), "--names").output.hasPrefix("pass  the owner reads\n"))
    }

    @Test func aFailureSaysWhatWasExpectedWhatCameAndWhatWouldTurnIt() throws {
        let path = try write(Self.failing, as: "a.yaml")
        let run = try Command.run("test", path)
        #expect(run.status == 1)
        #expect(
            run.output == """
                FAIL  a stranger reads  \(path):1
                      step 1      read token by stranger
                      at          \(path):4:42
                      expected    granted
                      actual      denied by sheet.failed
                      asked for   biometry, passcode
                      rules       class.open → proof.needed
                      to turn it  authenticate (prove)

                0 passed, 1 failed; 1 step

                """)
    }

    @Test func aReportForPeopleIsAFile() throws {
        let paths = try [write(Self.passing, as: "a.yaml"), write(Self.failing, as: "b.yaml")]
        let page = folder.path("report.html")
        let run = try Command.run(["test"] + paths + ["--format", "html", "--output", page])
        #expect(run.status == 1 && run.output.isEmpty && run.errors == "Wrote \(page).\n", "\(run)")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("<p class=\"verdict\">1 passed, 1 failed; 2 steps</p>"))
        #expect(text.contains("a stranger reads") && text.contains("the owner reads"))
    }

    @Test func everyMistakeIsToldAtOnceWithItsPlace() throws {
        let path = try write(
            """
            name: x
            device: { biometri: touchID }
            items: { token: { require: biometryCurentSet } }
            steps:
              - raed: token
              - { read: tokn, expect: biometry.lockedout }
              - lokc
            """, as: "a.yaml")
        let run = try Command.run("test", path, try write(Self.passing, as: "b.yaml"))
        #expect(run.status == 2)
        #expect(run.output.isEmpty, "nothing is played where a file is not understood")
        #expect(
            run.errors == """
                \(path):2:11: a device has no key "biometri": did you mean biometry?
                \(path):3:28: unknown flag "biometryCurentSet": did you mean biometryCurrentSet?
                \(path):5:5: a step has no key "raed": did you mean read?
                \(path):6:13: unknown item "tokn": did you mean token?
                \(path):6:27: unknown outcome "biometry.lockedout": did you mean biometry.locked-out?
                \(path):7:5: unknown step "lokc": did you mean lock?

                """)
    }

    @Test func filesAreFoundInFoldersAndByPatterns() throws {
        _ = try write(Self.passing, as: "in/a.yaml")
        _ = try write(Self.passing, as: "in/deeper/b.yml")
        _ = try write("{\"name\": \"JSON is YAML\", \"steps\": [\"lock\"]}", as: "in/c.json")
        _ = try write("not: { a: scenario", as: "in/d.txt")
        _ = try write("also: [ not", as: "in/.hidden.yaml")
        #expect(try Command.run("test", folder.path("in")).output == "3 passed; 3 steps\n")
        #expect(try Command.run("test", folder.path("in") + "/*.yaml").output == "1 passed; 1 step\n")
        let twice = try Command.run("test", folder.path("in"), folder.path("in/a.yaml"))
        #expect(twice.output == "3 passed; 3 steps\n", "a file that is named twice is played once")
    }

    @Test(arguments: ["nowhere.yaml", "empty", "none*.yaml"]) func whatIsNotThereIsSaid(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
        let run = try Command.run("test", folder.path(name))
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("latchkey: \(folder.path(name)): "))
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func partsAreEverythingTogetherAndFilteringLeavesOut() throws {
        let path = try write(
            (1...7).map { "name: number \($0)\nsteps: [lock]\n" }.joined(separator: "---\n"), as: "a.yaml")
        let parts = try (1...3).map { part in
            try Command.run("test", path, "--names", "--shard", "\(part)/3").output.split(separator: "\n").dropLast()
        }
        #expect(parts.map(\.count) == [3, 2, 2])
        #expect(Set(parts.joined()) == Set((1...7).map { "pass  number \($0)" }))
        #expect(try Command.run("test", path, "--shard", "8/9").status == 0, "a part may be empty")
        #expect(try Command.run("test", path, "--filter", "NUM*7").output == "1 passed; 1 step\n")
        let none = try Command.run("test", path, "--filter", "eight")
        #expect(none.status == 2 && none.errors == "latchkey: no scenario matches --filter\n")
        // A part may be empty if there are few scenarios, but not if --filter matches none.
        #expect(try Command.run("test", path, "--filter", "eight", "--shard", "1/3").status == 2)
    }

    @Test func anotherSeedIsAnotherOrderAndTheSameOneIsTheSame() throws {
        let path = try write(
            (1...9).map { "name: number \($0)\nsteps: [lock]\n" }.joined(separator: "---\n"), as: "a.yaml")
        func order(_ seed: String) throws -> String { try Command.run("test", path, "--names", "--seed", seed).output }
        #expect(try order("1") == order("1"))
        #expect(try order("1") != order("2"))
        #expect(try Set(order("1").split(separator: "\n")) == Set(order("2").split(separator: "\n")))
    }

    @Test func theFirstFailureEndsItWhereThatIsAskedFor() throws {
        let files = [Self.passing, Self.failing, Self.passing, Self.failing].joined(separator: "\n---\n")
        let path = try write(files, as: "a.yaml")
        #expect(try Command.run("test", path).output.hasSuffix("2 passed, 2 failed; 4 steps\n"))
        for _ in 0..<5 {
            let run = try Command.run("test", path, "--fail-fast")
            #expect(run.output.hasSuffix("1 passed, 1 failed, 2 not run; 2 steps\n"))
        }
    }

    @Test(arguments: [
        (["test"], "name a scenario file, or a folder of them"),
        (["test", "x", "--format", "jsn"], "unknown format \"jsn\": did you mean json?"),
        (["test", "x", "--shard", "0/3"], "--shard needs a part and the number of parts, such as 1/4, not \"0/3\""),
        (["test", "x", "--shard", "4/3"], "--shard needs a part and the number of parts, such as 1/4, not \"4/3\""),
        (["test", "x", "--seed", "one"], "--seed needs a number, not \"one\""),
        (
            ["test", "x", "--min-coverage", "101"],
            "--min-coverage needs a number from 0 to 100, not \"101\""
        ),
        (["explain"], "name one scenario file"),
        (["explain", "x", "--step", "0"], "--step needs the number of a step, from 1 on"),
        (["new", "x", "y"], "name only one file"),
    ])
    func whatIsNotUnderstoodIsNamed(_ arguments: [String], _ message: String) throws {
        let run = try Command.run(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        let see = message.hasSuffix("?") ? " See" : "; see"
        #expect(run.errors == "latchkey: \(message)\(see) latchkey \(arguments[0]) --help\n")
    }

    @Test func coverageFailsARunThatExercisesLess() throws {
        let path = try write(Self.passing, as: "a.yaml")
        let run = try Command.run("test", path, "--coverage", "--min-coverage", "50")
        #expect(run.status == 1)
        #expect(run.output.contains("  never  context.invalidated"))
        #expect(run.output.contains("\n  biometryAny          yes      yes    never\n"))
        #expect(run.errors.hasSuffix("% of rules and flags were exercised, and --min-coverage wants 50.0 %\n"))
        #expect(try Command.run("test", path, "--min-coverage", "1").status == 0)
    }

    /// Coverage counts even if a scenario fails. Policies are changed only if every scenario passes.
    @Test func coverageIsToldAlsoWhereSomethingFailed() throws {
        let path = try write(Self.failing, as: "a.yaml")
        let run = try Command.run("test", path, "--coverage", "--mutate", "--format", "tap")
        #expect(run.status == 1)
        #expect(run.errors.contains("\nexercised: "))
        #expect(
            run.errors.hasSuffix(
                "latchkey: no policy is changed while scenarios fail: make them pass first\n"))
    }

    @Test func programsGetTheMutantsAsTheyTakeThem() throws {
        struct Object: Decodable {
            struct Mutants: Decodable {
                struct Unnoticed: Decodable { let item, policy, at, mutant, words: String }
                let noticed, equivalent, unfit: Int, unnoticed: [Unnoticed]
            }
            struct Coverage: Decodable { let covered, all: Int, rulesThatNeverFired, never: [String] }
            let passed: Int, mutants: Mutants?, coverage: Coverage
        }
        let path = try write(Self.passing, as: "a.yaml")
        func object(_ arguments: String...) throws -> Object {
            let run = try Command.run(["test", path, "--format", "json"] + arguments)
            #expect(run.errors.isEmpty)
            return try JSONDecoder().decode(Object.self, from: Data(run.output.utf8))
        }
        #expect(try object().mutants == nil)
        let read = try object("--mutate")
        #expect(
            read.coverage.covered + read.coverage.rulesThatNeverFired.count + read.coverage.never.count
                == read.coverage.all)
        let mutants = try #require(read.mutants)
        #expect(mutants.unnoticed.contains { $0.words == "also accepts the passcode" && $0.at == "\(path):2:10" })
        let marks = try Command.run("test", path, "--format", "github", "--mutate").output.split(separator: "\n")
        #expect(marks.count { $0.hasPrefix("::warning file=\(path),line=2,col=10,") } == mutants.unnoticed.count)
    }

    @Test func whatChangesNothingNoticesIsSaid() throws {
        let path = try write(Self.passing, as: "a.yaml")
        let run = try Command.run("test", path, "--mutate")
        #expect(run.status == 0)
        #expect(run.output.contains("nothing fails if `token` also accepts the passcode"))
        #expect(!run.output.contains("asks for the passcode instead"), "that is noticed, by what was proved")
        #expect(try Command.run("test", path, "--min-noticed", "100").status == 1)
    }

    // MARK: - Beginning

    @Test func whatIsWrittenToBeginWithPassesAndReplacesNothing() throws {
        let path = folder.path("new.yaml")
        #expect(try Command.run("new", path).status == 0)
        #expect(try Command.run("test", path).status == 0)
        let written = try Data(contentsOf: URL(filePath: path))
        #expect(try Command.run("new").output == String(decoding: written, as: UTF8.self))
        try Data("mine".utf8).write(to: URL(filePath: path))
        let again = try Command.run("new", path)
        #expect(again.status == 1)
        #expect(again.errors == "latchkey: \(path): the file exists already, and is left as it is\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["new.yaml"])
    }

    // MARK: - Watching

    @Test func aChangeIsPlayedAgain() throws {
        let path = try write(Self.passing, as: "a.yaml")
        let included = try write("policies: { strong: { require: biometryAny } }", as: "b.yaml")
        _ = try write(
            "include: b.yaml\nname: included\nitems: { token: { policy: strong } }\nsteps: [ { read: token } ]",
            as: "c.yaml")
        let process = Process()
        let output = Pipe()
        process.executableURL = Command.binary
        process.arguments = ["test", "--watch", path, folder.path("c.yaml")]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // Programs that a worker thread starts have the other signals blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        func next() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }
        var said = next()
        while !said.hasSuffix("2 steps\n") { said += next() }
        #expect(said == "2 passed; 2 steps\n")
        _ = try write(Self.failing, as: "a.yaml")
        said = next()
        while !said.hasSuffix("2 steps\n") { said += next() }
        #expect(said.hasSuffix("1 passed, 1 failed; 2 steps\n"))
        try Data("policies: { strong: { require: devicePasscode } }".utf8).write(to: URL(filePath: included))
        said = next()
        while !said.hasSuffix("2 steps\n") { said += next() }
        #expect(said.hasSuffix("1 passed, 1 failed; 2 steps\n"))
    }
}
