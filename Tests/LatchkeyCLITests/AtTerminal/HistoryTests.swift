import Foundation
import TestSupport
import Testing

/// A replaced value can be brought back, and fields are read like the value.
@Suite(.waitsForProcesses) struct HistoryTests {
    private static func vault() throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal()
        try save("first", ["set", "a", "--preset", "open"], vault)
        return vault
    }

    private static func save(_ text: String, _ words: [String], _ vault: VaultAtTerminal) throws {
        let run = try vault.run(words, input: Data(text.utf8))
        #expect(run.status == 0, "\(run)")
    }

    /// The sizes of the versions, the present one first.
    private static func sizes(_ vault: VaultAtTerminal) throws -> [String] {
        let run = try vault.run("history", "a", "--json")
        #expect(run.status == 0, "\(run)")
        return run.output.split(separator: "\n").map { line in
            line.firstMatch(of: /"bytes":([0-9]+)/).map { String($0.1) } ?? String(line)
        }
    }

    @Test func undoBringsBackWhatWasReplaced() throws {
        let vault = try Self.vault()
        try Self.save("second value", ["edit", "a"], vault)
        try Self.save("third", ["set", "a", "--replace", "--preset", "open"], vault)
        #expect(try Self.sizes(vault) == ["5", "12", "5"])
        #expect(try vault.run("get", "a", "--version", "2").output == "first")
        let undone = try vault.run("undo", "a")
        #expect(undone.status == 0)
        #expect(undone.errors == "a has its former value again. To take this back, run `latchkey undo a`.\n")
        #expect(try vault.run("get", "a").output == "second value")
        #expect(try vault.run("undo", "a").status == 0)
        #expect(try vault.run("get", "a").output == "third")
        #expect(try vault.run("undo", "a", "--version", "2").status == 0)
        #expect(try vault.run("get", "a").output == "first")
        #expect(try vault.run("undo", "a").status == 0)
        #expect(try vault.run("get", "a").output == "third", "as the words of undo say")
        let none = try vault.run("undo", "a", "--version", "9")
        #expect(none.status == 4 && none.errors.contains("latchkey history a"), "\(none)")
        #expect(try vault.run("undo", "b").status == 4)
        #expect(try vault.run("undo", "a", "--version", "0").status == 2)
        let table = try vault.run("history", "a").output
        #expect(table.split(separator: "\n").count == 3 && table.hasPrefix("now"), "\(table)")
    }

    @Test func undoBringsBackWhatWasDeleted() throws {
        let vault = try Self.vault()
        try Self.save("second", ["edit", "a"], vault)
        #expect(try vault.run("rm", "a").errors == "Deleted a. To take this back, run `latchkey undo a`.\n")
        #expect(try vault.run("get", "a").status == 4)
        #expect(try vault.run("undo", "a", "--version", "1").status == 4)
        #expect(try vault.run("undo", "a").errors == "a is back.\n")
        #expect(try vault.run("get", "a").output == "second")
        // Its former versions came back as well.
        #expect(try vault.run("undo", "a").status == 0)
        #expect(try vault.run("get", "a").output == "first")
        // Deleted for good, at once or after a deletion that could be undone.
        #expect(try vault.run("rm", "--now", "a").errors == "Deleted a.\n")
        #expect(try vault.run("undo", "a").status == 4)
        try Self.save("third", ["set", "a", "--preset", "open"], vault)
        #expect(try vault.run("rm", "a").status == 0)
        #expect(try vault.run("rm", "--now", "a").errors == "Deleted a.\n")
        #expect(try vault.run("rm", "--now", "a").status == 4)
        #expect(try vault.run("undo", "a").status == 4)
        // Without a history nothing is kept.
        try Self.save("fourth", ["set", "a", "--preset", "open"], vault)
        #expect(try vault.run("rm", "a").status == 0)
        #expect(try vault.at("config", "--history", "0", asked: vault.typingPasscode).status == 0)
        #expect(try vault.run("undo", "a").status == 4)
        try Self.save("fifth", ["set", "a", "--preset", "open"], vault)
        #expect(try vault.run("rm", "a").errors == "Deleted a.\n")
        #expect(try vault.run("verify").status == 0)
    }

    @Test func fieldsAreReadByTheirName() throws {
        let vault = try Self.vault()
        try Self.save("anna", ["edit", "a", "--field", "user"], vault)
        try Self.save("two\nlines\n", ["edit", "a", "--field", "notes"], vault)
        #expect(try vault.run("get", "a", "user").output == "anna")
        #expect(try vault.run("get", "a", "notes").output == "two\nlines\n")
        #expect(try vault.run("get", "a").output == "first")
        #expect(try vault.run("history", "a").output.contains("fields user, notes"))
        let missing = try vault.run("get", "a", "url")
        #expect(missing.status == 4 && missing.errors.contains("no field url"), "\(missing)")
        #expect(try vault.run("edit", "a", "--remove-field", "user").status == 0)
        #expect(try vault.run("get", "a", "user").status == 4)
        #expect(try vault.run("get", "a", "user", "--version", "1").output == "anna")
        #expect(try vault.run("edit", "a", "--remove-field", "user", "--comment", "c").status == 2)
        let blank = try vault.run(["edit", "a", "--field", "two words"], input: Data("x".utf8))
        #expect(blank.status != 0 && blank.errors.contains("without blanks"), "\(blank)")
    }

    @Test func aSecretThatIsReplacedGetsTheDefaultPolicyWithOrWithoutItsHistory() throws {
        let vault = try Self.vault()
        for options in [[], ["--forget"]] {
            try Self.save("open", ["set", "a", "--replace", "--preset", "open"], vault)
            let run = try vault.run(["set", "a", "--replace"] + options, input: Data("again".utf8))
            #expect(run.status == 0 && run.errors.contains("Saved a; asks each time"), "\(run)")
            #expect(try vault.run("get", "a").status == 8)
            #expect(try vault.run("rm", "a").status == 0)
            try Self.save("first", ["set", "a", "--preset", "open"], vault)
        }
    }

    @Test func aQuestionThatMayNotBeAskedIsNotAnsweredByItself() throws {
        let vault = try Self.vault()
        let run = try vault.at("rm", "a", "--no-prompt")
        #expect(run.status == 8 && run.shown.contains("add --force"), "\(run)")
        #expect(try vault.run("get", "a").output == "first")
    }

    @Test func nothingIsKeptThatTheUserDoesNotWant() throws {
        let vault = try Self.vault()
        try Self.save("second", ["set", "a", "--replace", "--forget", "--preset", "open"], vault)
        #expect(try Self.sizes(vault) == ["6"])
        try Self.save("third", ["edit", "a"], vault)
        try Self.save("fourth!", ["edit", "a", "--forget", "--value"], vault)
        #expect(try Self.sizes(vault) == ["7"])
        try Self.save("fifth", ["edit", "a"], vault)
        let forgotten = try vault.run("edit", "a", "--forget")
        #expect(forgotten.status == 0 && forgotten.errors.contains("Deleted the former values of a."), "\(forgotten)")
        #expect(try Self.sizes(vault) == ["5"])
        try Self.save("fifth", ["edit", "a", "--value"], vault)
        try Self.save("5", ["edit", "a"], vault)
        try Self.save("fifth", ["edit", "a"], vault)
        // A weaker policy would expose the former value.
        try vault.at("edit", "a", "--preset", "service")
        #expect(try Self.sizes(vault) == ["5"])
        try Self.save("sixth.", ["edit", "a"], vault)
        #expect(try vault.at("config", "--history", "0", asked: vault.typingPasscode).status == 0)
        #expect(try Self.sizes(vault) == ["6"])
        #expect(try vault.run("config").output.contains("none is kept"))
        try Self.save("seventh", ["edit", "a"], vault)
        #expect(try vault.at("config", "--history", "7d", asked: vault.typingPasscode).status == 0)
        #expect(try Self.sizes(vault) == ["7"])
        #expect(try vault.run("config").output.contains("former versions and deleted secrets stay for 7 days"))
    }
}
