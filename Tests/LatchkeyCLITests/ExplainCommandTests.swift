import Foundation
import TestSupport
import Testing

/// `latchkey explain`, run as a user would run it.
@Suite(.waitsForProcesses) struct ExplainCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// Writes a file into the folder, and returns its path.
    private func write(_ text: String) throws -> String {
        let path = folder.path("a.yaml")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func explainingGivesEachRuleWithItsSource() throws {
        let path = try write(
            """
            name: a stranger reads
            items: { token: { require: userPresence } }
            steps:
              - { read: token, by: stranger, expect: granted }
            """)
        let run = try Command.run("explain", path)
        #expect(run.status == 1)
        #expect(
            run.output == """
                a stranger reads  \(path):1

                  step 1  read token by stranger
                      class.open    the item's class key is available  semantics 5, CODE
                      proof.needed  the user must authenticate         semantics 4.4, CODE
                    so the user has to authenticate: biometry, or passcode
                    prompts: biometry, passcode
                    = denied by sheet.failed
                      authentication failed, and the prompt has no attempts left
                      the app gets errSecAuthFailed (-25293), LAError.authenticationFailed (-1)
                      remedy: authenticate (prove)

                  not as expected
                    step 1: read token by stranger
                    at: \(path):4:42
                    expected: granted
                    actual: denied by sheet.failed
                    asked for: biometry, passcode
                    rules: class.open → proof.needed
                    to turn it: authenticate (prove)


                """)
    }

    @Test func explainingOneStepOrOneItemLeavesOutTheRest() throws {
        let path = try write(
            """
            name: two items
            items: { token: , spare: }
            steps: [ { read: token }, { read: spare }, lock, { exists: token } ]
            """)
        func steps(_ arguments: String...) throws -> [String] {
            try Command.run(["explain", path] + arguments).output.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("  step") }
        }
        #expect(try steps().count == 4)
        #expect(try steps("--item", "token") == ["  step 1  read token", "  step 4  exists token"])
        #expect(try steps("--step", "2") == ["  step 2  read spare"])
        let unknown = try Command.run("explain", path, "--item", "tken")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean token?"))
        let none = try Command.run("explain", path, "--filter", "nothing")
        #expect(none.status == 2 && none.errors.contains("no scenario matches --filter"))
    }

    @Test func explainingOneFileLeavesOutTheRest() throws {
        let path = try write(
            """
            name: a file
            files: { journal: complete, cache: }
            steps: [ { open: cache }, { open: journal }, lock, { append: journal } ]
            """)
        let run = try Command.run("explain", path, "--item", "journal")
        #expect(run.status == 0)
        #expect(
            run.output == """
                a file  \(path):1

                  step 2  open journal
                      file.class-open  the key of the file's protection class is available  semantics 8.1, DOC
                    so it is granted
                    = granted

                  step 4  append journal
                      file.class-open  the key of the file's protection class is available  semantics 8.1, DOC
                    so it is granted
                    = granted


                """)
    }

    @Test func explainingTellsEveryStepByItsNumberAndWhatHappenedMeanwhile() throws {
        let path = try write(
            """
            name: the same step twice
            items: { token: { require: userPresence }, other: { require: biometryAny } }
            steps:
              - &again { read: token }
              - lock
              - unlock
              - *again
              - { exists: { account: token } }
              - { read: other, meanwhile: [{ read: token, interaction: fail, expect: denied }] }
            """)
        func steps(_ arguments: String...) throws -> [String] {
            try Command.run(["explain", path] + arguments).output.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("  step") || $0.contains("meanwhile") }
        }
        #expect(
            try steps() == [
                "  step 1  read token", "  step 2  lock", "  step 3  unlock", "  step 4  read token",
                "  step 5  exists account token", "  step 6  read other", "    meanwhile  read token",
            ])
        #expect(
            try steps("--item", "token") == [
                "  step 1  read token", "  step 4  read token", "  step 5  exists account token",
                "  step 6  read other", "    meanwhile  read token",
            ])
    }
}
