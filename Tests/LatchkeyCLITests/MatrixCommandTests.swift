import AccessPolicy
import Foundation
import TestSupport
import Testing

/// `latchkey matrix`, run as a user would run it.
@Suite(.waitsForProcesses) struct MatrixCommandTests {
    private func run(_ arguments: String...) throws -> Command.Run {
        try Command.run(["matrix"] + arguments)
    }

    private func page() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "docs/matrix.md"), encoding: .utf8)
    }

    /// Returns the words of a command line on the page. Quoted words count as one.
    private func words(_ line: Substring) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
            place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test func theExampleOfThePageIsCurrent() throws {
        let page = try page()
        let block = try #require(page.components(separatedBy: "```console\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "```").first)
        let command = try #require(text.split(separator: "\n").first)
        #expect(command.hasPrefix("$ latchkey matrix "))
        let result = try Command.run(Array(words(command).dropFirst(2)))
        #expect(result.status == 0)
        #expect(text == "\(command)\n\(result.output)")
    }

    @Test func theExamplesOfTheHelpRun() throws {
        let help = try run("--help").output
        let examples = help.split(separator: "\n").filter {
            $0.hasPrefix("  latchkey matrix ") && !$0.contains(".yaml")
        }
        #expect(examples.count == 3)
        for example in examples {
            let result = try Command.run(Array(words(example).dropFirst()))
            #expect(result.status == 0 && result.errors.isEmpty, "\(example)")
            #expect(!result.output.isEmpty)
        }
    }

    @Test(arguments: [
        ([], "name a file, or a policy with --require or --accessible"),
        (["--require", "biometryAyn"], "unknown flag \"biometryAyn\": did you mean biometryAny?"),
        (
            ["--require", "or and"], "or + and is refused: \"or\" and \"and\" cannot be combined (flags.or-with-and)"
        ),
        (
            ["--require", "biometryAny biometryCurrentSet"],
            "biometryAny + biometryCurrentSet is refused: biometryAny and biometryCurrentSet cannot be combined "
                + "(flags.two-biometries)"
        ),
        (["--accessible", "whenUnlockd"], "unknown class \"whenUnlockd\": did you mean whenUnlocked?"),
        (["--accessible", "always", "--device", "makc"], "unknown device \"makc\": did you mean mac?"),
        (["--accessible", "always", "--use", "rea"], "unknown use \"rea\": did you mean read?"),
        (["--accessible", "always", "--format", "htm"], "unknown format \"htm\": did you mean html?"),
        (["--key", "--use", "read"], "no item has the use read: a private key is used, and any other item is read"),
        (["--key", "--use", "find"], "find is a separate use only if a file says that attributes are open"),
        (["x.yaml", "--key"], "--key does not go with a file, which states it"),
        (["x.yaml", "--require=none"], "--require does not go with a file, which states it"),
        (["x.yaml", "y.yaml"], "name only one file"),
        (["--files", "--use", "read"], "--use is about items, and does not go with --files"),
        (["--files", "--require", "none"], "--require is about items, and does not go with --files"),
        (["--files", "x.yaml", "--device", "mac"], "--device does not go with a file, which states it"),
        (["--requir", "none"], "unknown option \"--requir\": did you mean --require?"),
    ])
    func whatIsNotUnderstoodIsNamed(_ arguments: [String], _ message: String) throws {
        let result = try Command.run(["matrix"] + arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        let see = message.hasSuffix("?") ? " See" : "; see"
        #expect(result.errors == "latchkey: \(message)\(see) latchkey matrix --help\n")
    }

    @Test(arguments: ["table", "markdown", "csv", "json", "html"])
    func everyFormatIsTheSameEveryTime(_ format: String) throws {
        let first = try run("--require", "userPresence", "--format", format)
        #expect(first.status == 0 && !first.output.isEmpty && first.errors.isEmpty)
        #expect(!first.output.contains("\u{1B}"), "no color but on a terminal")
        #expect(try run("--require", "userPresence", "--format", format).output == first.output)
    }

    @Test func privateKeyUsageMakesAKeyAndADeviceIsOneThatPeopleKnow() throws {
        #expect(try run("--require", "userPresence privateKeyUsage").output.contains("Who can use the private key"))
        #expect(try run("--key").output.contains("Who can use the private key"))
        #expect(try run("--require", "none").output.contains("Who can read the secret"))
        let face = try run("--accessible", "always", "--device", "iPhoneWithFaceID", "--use", "read").output
        #expect(face.contains("with Face ID") && face.contains("the app was refused the sensor"))
        #expect(!face.contains("Who can destroy it"))
        #expect(try run("--require", "userPresence", "--device", "mac").output.contains("biometry, or companion"))
        #expect(
            try run("--require", "userPresence", "--device", "simulator").output.contains("It cannot be stored"))
        #expect(try run("--require", "none", "--synchronizable").output.contains("It cannot be stored"))
    }

    @Test(arguments: ["table", "markdown", "csv", "json", "html"])
    func everyFormatShowsTheClassesOfFiles(_ format: String) throws {
        let shown = try run("--files", "--format", format)
        #expect(shown.status == 0 && shown.errors.isEmpty)
        for protection in FileProtection.allCases { #expect(shown.output.contains(protection.name)) }
        #expect(shown.output.contains("file.locked"))
    }

    @Test func theFilesOfAScenarioHaveATable() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "journal.yaml")
        try "name: x\nfiles: { journal: complete }\nsteps: [lock]\n".write(to: file, atomically: true, encoding: .utf8)
        let shown = try run(file.path, "--files")
        #expect(shown.status == 0 && shown.output.contains("journal: A complete"))
        let hint = try run(file.path)
        #expect(hint.status == 2)
        #expect(hint.errors.hasSuffix(" declares no item and no policy: add --files to see its files\n"))

        try "name: x\nitems: { token: {} }\nsteps: [lock]\n".write(to: file, atomically: true, encoding: .utf8)
        let none = try run(file.path, "--files")
        #expect(none.status == 2 && none.errors.hasSuffix(" declares no file under \"files\"\n"))
    }

    @Test func aFileOfScenariosHasATableForEachPolicy() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let file = folder.appending(path: "token.yaml")
        try """
        name: a new finger invalidates the token
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          spare: { require: userPresence }
          other: { require: userPresence }
        steps:
          - read: token
        """.write(to: file, atomically: true, encoding: .utf8)
        let output = try run(file.path, "--use", "read").output
        #expect(output.contains("token: whenPasscodeSetThisDeviceOnly, biometryCurrentSet\n"))
        #expect(output.contains("spare, other: whenUnlocked, userPresence\n"))

        try "name: one\nitems:\n  token: { requir: none }\nsteps: [ { lock } ]\n"
            .write(to: file, atomically: true, encoding: .utf8)
        let wrong = try run(file.path)
        #expect(wrong.status == 2 && wrong.output.isEmpty)
        #expect(wrong.errors.hasPrefix("\(file.path):3:"))
        #expect(wrong.errors.contains("did you mean require?"))

        try "name: one\nsteps: [ { lock } ]\n".write(to: file, atomically: true, encoding: .utf8)
        let empty = try run(file.path)
        #expect(empty.status == 2 && empty.errors.hasSuffix(" declares no item and no policy\n"))

        try "policies: { strong: { require: biometryCurrentSet }, weak: { require: none } }\n".write(
            to: file, atomically: true, encoding: .utf8)
        let declared = try run(file.path, "--use", "read")
        #expect(declared.status == 0)
        #expect(declared.output.hasPrefix("strong: whenUnlocked, biometryCurrentSet\n"))
        #expect(declared.output.contains("\nweak: whenUnlocked\n"))

        let missing = try run(folder.path + "/missing.yaml")
        #expect(missing.status == 2 && missing.errors.contains("missing.yaml: No such file"))
    }

    @Test func aFileIsWrittenWholeOrNotAtAll() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let file = folder.appending(path: "review.html")
        try "before".write(to: file, atomically: true, encoding: .utf8)
        let expected = try run("--require", "userPresence", "--format", "html").output
        let written = try run("--require", "userPresence", "--format", "html", "--output", file.path)
        #expect(written.status == 0 && written.output.isEmpty && written.errors == "Wrote \(file.path).\n")
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["review.html"])

        let nowhere = try run("--require", "none", "--output", folder.path + "/none/x.txt")
        #expect(nowhere.status == 1 && nowhere.errors.contains("No such file or directory"))
        let full = try run("--require", "none", "--output", "/dev/full")
        #expect(full.status == 1 && full.errors == "latchkey: /dev/full: No space left on device\n")
        #expect(try run("--require", "none", "--output", "/dev/null").status == 0)
        #expect(try run("--require", "none", "--output", folder.path).status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["review.html"])
    }
}
