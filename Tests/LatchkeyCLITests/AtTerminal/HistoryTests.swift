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
        #expect(try vault.at("config", "--history", "0", "--yes", asked: vault.typingPasscode).status == 0)
        #expect(try vault.run("undo", "a").status == 4)
        try Self.save("fifth", ["set", "a", "--preset", "open"], vault)
        #expect(try vault.run("rm", "a").errors == "Deleted a.\n")
        #expect(try vault.run("verify").status == 0)
    }

    @Test func whatCannotComeBackIsNamedWithTheWayOut() throws {
        let vault = try Self.vault()
        let nothing = try vault.run("undo", "nosuch")
        #expect(nothing.status == 4)
        #expect(
            nothing.errors
                == "latchkey: no secret nosuch, and none of this name was deleted: run `latchkey list --deleted` to see what can "
                + "come back\n")
        try Self.save("x", ["set", "web/shop", "--preset", "open"], vault)
        #expect(try vault.run("rm", "web/shop").status == 0)
        #expect(try vault.run("undo", "web/shpo").errors.hasSuffix("was deleted: did you mean web/shop?\n"))
        #expect(try vault.run("undo", "web").errors == "latchkey: web is a folder: run `latchkey undo -r web`\n")
        // Another secret has the name now.
        try Self.save("y", ["set", "web/shop", "--preset", "open"], vault)
        let way = "run `latchkey mv web/shop OTHER`, then `latchkey undo web/shop`\n"
        let used = try vault.run("undo", "web/shop")
        #expect(used.status == 4 && used.errors.hasSuffix(way), "\(used)")
        let folder = try vault.run("undo", "-r", "web")
        #expect(folder.status == 9 && folder.errors.contains(way), "\(folder)")
        #expect(try vault.run("mv", "web/shop", "OTHER").status == 0)
        #expect(try vault.run("undo", "web/shop").status == 0)
        #expect(try vault.run("get", "web/shop").output == "x")
    }

    /// The command says so before it prompts.
    @Test func aVaultThatKeepsNoFormerVersionsSaysSo() throws {
        let vault = try Self.vault()
        try Self.save("x", ["set", "b", "--preset", "passcode"], vault)
        #expect(try vault.at("config", "--history", "0", "--yes", asked: vault.typingPasscode).status == 0)
        let undone = try vault.at("undo", "b")
        #expect(undone.status == 4 && undone.shown.contains("`latchkey config --history 30d`"), "\(undone)")
        #expect(!undone.shown.contains("Passcode"), "\(undone)")
    }

    @Test func fieldsAreReadByTheirName() throws {
        let vault = try Self.vault()
        try Self.save("anna", ["edit", "a", "--field", "user"], vault)
        try Self.save("two\nlines\n", ["edit", "a", "--field", "notes"], vault)
        #expect(try vault.run("get", "a", "user").output == "anna")
        #expect(try vault.run("get", "a", "notes").output == "two\nlines\n")
        #expect(try vault.run("get", "a").output == "first")
        let history = try vault.run("history", "a").output
        #expect(history.contains("fields user, notes") && !history.contains(" \n"), "\(history)")
        #expect(try vault.run("get", "a", "User").output == "anna")
        for (field, hint) in [("url", "it has user and notes"), ("note", "did you mean notes?")] {
            let missing = try vault.run("get", "a", field)
            #expect(missing.status == 4 && missing.errors.hasSuffix("no field \(field): \(hint)\n"), "\(missing)")
        }
        try Self.save("other", ["edit", "a", "--field", "USER"], vault)
        let ambiguous = try vault.run("get", "a", "User")
        #expect(ambiguous.status == 4, "\(ambiguous)")
        #expect(try vault.run("get", "a", "user").output == "anna")
        #expect(try vault.run("edit", "a", "--remove-field", "USER").status == 0)
        #expect(try vault.run("edit", "a", "--remove-field", "user").status == 0)
        #expect(try vault.run("get", "a", "user").status == 4)
        #expect(try vault.run("get", "a", "user", "--version", "1").output == "anna")
        #expect(try vault.run("edit", "a", "--remove-field", "user", "--comment", "c").status == 2)
        let blank = try vault.run(["edit", "a", "--field", "two words"], input: Data("x".utf8))
        #expect(blank.status != 0 && blank.errors.contains("without blanks"), "\(blank)")
    }

    /// A shorter time deletes for good, so the command names what goes, and asks.
    @Test func aShorterHistoryNamesWhatGoes() throws {
        let vault = try Self.vault()
        for name in ["web/b", "web/c"] { try Self.save("x", ["set", name, "--preset", "open"], vault) }
        #expect(try vault.run("rm", "-r", "web").status == 0)
        for number in ["5", "600", "30"] {
            let refused = try vault.run("config", "--history", number)
            #expect(refused.status == 2, "\(refused)")
            #expect(
                refused.errors.contains(
                    "--history \(number) needs a unit: write \(number)d, \(number)h, \(number)m or \(number)s;"),
                "\(refused)")
        }
        #expect(try vault.run("config", "--lock-after", "5").errors.contains("needs a unit: write 5d, 5h, 5m or 5s;"))
        #expect(try vault.run("config", "--reuse", "50").errors.contains("needs a unit: write 50m or 50s;"))
        let no = try vault.at("config", "--history", "0", asked: [("[y/N] ", "\n")])
        #expect(no.status == 6, "\(no)")
        #expect(no.shown.contains("This deletes 2 deleted secrets for good: web/b and web/c.\n"), "\(no)")
        #expect(no.shown.contains("Former versions can no longer be read, and go for good"), "\(no)")
        #expect(try vault.run("config", "--history", "0").status == 8)
        let short = try vault.at(
            "config", "--history", "7d", asked: [("[y/N] ", "y\n")] + vault.typingPasscode)
        #expect(short.status == 0 && short.shown.contains("Former versions older than 7 days can"), "\(short)")
        #expect(!short.shown.contains("This deletes"), "these are younger: \(short)")
        #expect(try vault.at("config", "--history", "30d", asked: vault.typingPasscode).status == 0, "nothing is lost")
        #expect(try vault.run("undo", "-r", "web").status == 0)
    }

    /// What a folder had comes back at once, and the words after a deletion are the command that does it.
    @Test func aDeletedFolderIsListedAndComesBack() throws {
        let vault = try Self.vault()
        for name in ["web/b", "web/sub/c", "web", "webs/d"] {
            try Self.save("of \(name)", ["set", name, "--preset", "passcode"], vault)
        }
        let deleted = try vault.run("rm", "-r", "--force", "web")
        #expect(deleted.errors == "Deleted folder web: 2 secrets. To bring it back, run `latchkey undo -r web`.\n")
        #expect(try vault.run("rm", "webs/d").status == 0)
        #expect(try vault.run("list", "--deleted", "--names").output == "web/b\nweb/sub/c\nwebs/d\n")
        #expect(try vault.run("list", "--deleted", "--names", "web").output == "web/b\nweb/sub/c\n")
        let table = try vault.run("list", "--deleted", "web").output
        #expect(table.contains(/web\/b +deleted [0-9]{4}-/), "\(table)")
        #expect(try vault.run("list", "--deleted", "--json").output.contains("\"deleted\":"))
        #expect(try vault.run("list", "--deleted", "none").status == 4)
        #expect(try vault.run("list", "--deleted", "--tree").status == 2)
        // One whose name is in use again stays deleted.
        try Self.save("new", ["set", "web/b", "--preset", "open"], vault)
        let partly = try vault.run("undo", "-r", "web")
        #expect(partly.status == 9 && partly.errors.contains("not brought back: web/b: "), "\(partly)")
        #expect(partly.errors.hasSuffix("Brought back 1 secret of web.\n"), "\(partly)")
        #expect(try vault.run("get", "web/b").output == "new")
        #expect(try vault.run("rm", "--now", "web/b").status == 0)
        #expect(try vault.run("undo", "-r", "webs/").errors == "Brought back 1 secret of webs.\n")
        #expect(try vault.run("list", "--names").output == "a\nweb\nweb/sub/c\nwebs/d\n")
        #expect(try vault.run("get", "webs/d").status == 8, "it opens as before")
        #expect(try vault.run("undo", "-r", "webs").status == 4)
        #expect(try vault.run("undo", "-r", "--version", "1", "webs").status == 2)
        // A locked vault names nothing.
        #expect(try vault.run("rm", "webs/d").status == 0)
        #expect(try vault.run("lock").status == 0)
        let locked = try vault.run("list", "--deleted")
        #expect(locked.status == 5 && locked.output == "", "\(locked)")
        #expect(try vault.run("list", "--deleted", "--names").output == "")
        #expect(try vault.run("undo", "-r", "webs").status == 5)
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
        #expect(try vault.at("config", "--history", "0", "--yes", asked: vault.typingPasscode).status == 0)
        #expect(try Self.sizes(vault) == ["6"])
        #expect(try vault.run("config").output.contains("none is kept"))
        try Self.save("seventh", ["edit", "a"], vault)
        #expect(try vault.at("config", "--history", "7d", asked: vault.typingPasscode).status == 0)
        #expect(try Self.sizes(vault) == ["7"])
        #expect(try vault.run("config").output.contains("former versions and deleted secrets stay for 7 days"))
    }
}
