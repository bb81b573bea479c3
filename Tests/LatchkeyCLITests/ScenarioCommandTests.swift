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
