import Foundation
import TestSupport
import Testing

/// What a terminal is asked when a name is not that of one secret, and before secrets are deleted.
@Suite(.serialized, .waitsInOrder) struct NameChoiceTests {
    private let vault: VaultAtTerminal

    init() throws {
        vault = try VaultAtTerminal("--default-policy", "open")
        for name in ["work/token", "home/token", "mail"] {
            try vault.run("set", name, input: Data("secret of \(name)".utf8))
        }
    }

    @Test func aNumberChooses() throws {
        let list = """
            No secret token. These names are like it:
               1  home/token
               2  work/token
            Number:\u{20}
            """
        let shown = try vault.at("get", "token", asked: [("Number: ", "2\n")])
        #expect(shown == (0, list + "2\nsecret of work/token\n"))
        #expect(try vault.at("show", "tkn", asked: [("Number: ", "1\n")]).shown.contains("\nname       home/token\n"))
        #expect(
            try vault.at("edit", "token", "--comment", "c", asked: [("Number: ", "1\n")]).shown.contains(
                "\nSaved home/token"))
        #expect(
            try vault.at("mv", "token", "moved", asked: [("Number: ", "2\n")]).shown.contains("work/token to moved"))
        #expect(try vault.run("list", "--names").output == "home/token\nmail\nmoved\n")
    }

    @Test(arguments: ["", "0", "3", "x", "-1", "work/token"]) func nothingElseChooses(_ answer: String) throws {
        let run = try vault.at("get", "token", asked: [("Number: ", answer + "\n")])
        #expect(run.status == 6, "\(run)")
        #expect(run.shown.hasSuffix("\nlatchkey: no secret token, and you chose none of the 2 names like it\n"))
    }

    /// One name that is near is suggested, and nothing is asked without a terminal.
    @Test func onlySeveralNamesAreAChoice() throws {
        #expect(try vault.at("get", "work/tok") == (4, "latchkey: no secret work/tok: did you mean work/token?\n"))
        #expect(
            try vault.at("get", "nothing") == (4, "latchkey: no secret nothing: run `latchkey list` to see the names\n")
        )
        let run = try vault.run("get", "token")
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(try vault.at("rm", "--force", "token") == (0, ""), "no name is guessed for what deletes")
        try vault.run("lock")
        let locked = try vault.at("get", "token")
        #expect(!locked.shown.contains("work/"), "\(locked)")
    }

    @Test func aLongListIsCut() throws {
        for number in 10..<40 { try vault.run("set", "many/\(number)", input: Data("x".utf8)) }
        let run = try vault.at("get", "many", asked: [("Number: ", "20\n")])
        #expect(run.status == 0 && run.shown.hasSuffix("\n  20  many/29\n      and 10 more\nNumber: 20\nx\n"), "\(run)")
    }

    private static let hasFinder = FileManager.default.isExecutableFile(atPath: "/usr/bin/fzf")

    /// The real fzf, in a terminal that can move its cursor. Its settings in the environment mean nothing.
    @Test(.enabled(if: hasFinder, "skipped: needs the Debian package fzf")) func fzfChooses() throws {
        let canary = vault.place.path("canary")
        var environment = vault.environment
        environment["TERM"] = "xterm"
        environment["FZF_DEFAULT_OPTS"] = "--bind 'start:execute(touch \(canary))' --preview 'touch \(canary)'"
        let terminal = try CommandAtTerminal(["get", "token"], environment: environment)
        try terminal.wait(for: "2/2")
        terminal.type(" work")
        try terminal.wait(for: "1/2")
        terminal.type("\r")
        #expect(terminal.end() == 0)
        #expect(terminal.shown.hasSuffix("secret of work/token\n"), "\(terminal.shown)")
        #expect(terminal.settings == terminal.settingsAtFirst)
        let other = try CommandAtTerminal(["get", "token"], environment: environment)
        try other.wait(for: "2/2")
        other.type("\u{7}")
        #expect(other.end() == 6)
        #expect(!other.shown.contains("secret of"))
        #expect(!FileManager.default.fileExists(atPath: canary))
    }

    @Test func aFolderIsDeletedAfterAQuestion() throws {
        let question = "Delete the folder work with 1 secret? [y/N] "
        #expect(try vault.at("rm", "-r", "work", asked: [(question, "n\n")]).status == 6)
        #expect(try vault.at("rm", "-r", "work", asked: [(question, "y\n")]).status == 0)
        let both = try vault.at("rm", "home/token", "mail", "none", asked: [("Delete 2 secrets? [y/N] ", "y\n")])
        #expect(both.status == 4 && both.shown.contains("\nDeleted home/token."))
        #expect(both.shown.contains("\nDeleted mail."))
        #expect(try vault.run("list", "--names").output.isEmpty)
        #expect(try vault.at("rm", "none").status == 4, "nothing to ask about")
    }

    /// One prompt serves a whole folder, and a prompt that is dismissed leaves all of it.
    @Test func oneAuthenticationMovesAFolder() throws {
        for name in ["f/a", "f/b", "f/c/d"] {
            try vault.run("set", name, "--preset", "every-time", input: Data("x".utf8))
        }
        #expect(try vault.at("mv", "f", "g", asked: [("Passcode: ", "\u{4}")]).status == 6)
        #expect(try vault.run("list", "f", "--names").output == "f/a\nf/b\nf/c/d\n")
        let moved = try vault.at("mv", "f", "g", asked: vault.typingPasscode)
        #expect(moved.status == 0 && moved.shown.hasSuffix("Renamed folder f to g: 3 secrets.\n"), "\(moved)")
        #expect(moved.shown.components(separatedBy: "Passcode: ").count == 2)
        let copied = try vault.at("cp", "-r", "g", "h", asked: vault.typingPasscode)
        #expect(copied.status == 0 && copied.shown.components(separatedBy: "Passcode: ").count == 2, "\(copied)")
        #expect(try vault.run("list", "h", "--names").output == "h/a\nh/b\nh/c/d\n")
        #expect(try vault.run("show", "h/a").output.contains("asks each time"))
    }
}
