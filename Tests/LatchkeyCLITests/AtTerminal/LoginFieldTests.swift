import Foundation
import TestSupport
import Testing

/// Logins: a secret with a user name, a URL and other fields.
@Suite(.waitsForProcesses) struct LoginFieldTests {
    private static func save(_ words: String..., to vault: VaultAtTerminal) throws {
        let run = try vault.run(words, input: Data("pw".utf8))
        #expect(run.status == 0, "\(run)")
    }

    @Test func aLoginIsSavedWithOnePrompt() throws {
        let vault = try VaultAtTerminal()
        let saved = try vault.at(
            "set", "web/shop", "--user", "ann", "--url", "https://shop.example", "--field", "size=a=b", "--preset",
            "open",
            asked: [("Secret: ", "hunter2\n"), ("Type it again: ", "hunter2\n")])
        #expect(saved.status == 0 && saved.shown.contains("Saved web/shop"), "\(saved)")
        let parts = try ["user", "url", "size"].map { try vault.run("get", "web/shop", $0).output }
        #expect(parts == ["ann", "https://shop.example", "a=b"])
        #expect(try vault.run("get", "web/shop").output == "hunter2")
        #expect(try vault.run("show", "web/shop").output.contains("fields     user, url, size\n"))
        #expect(try vault.run("show", "web/shop", "--json").output.contains("\"fields\":[\"user\",\"url\",\"size\"]"))
        #expect(try vault.run("history", "--fields", "web/shop").output == "user\nurl\nsize\n")
        // The fields that are there stay, and these are replaced together with the value, in one version.
        try Self.save("set", "web/shop", "--replace", "--user", "bob", "--preset", "open", to: vault)
        #expect(try vault.run("get", "web/shop", "user").output == "bob")
        #expect(try vault.run("get", "web/shop", "size").output == "a=b")
        #expect(try vault.run("undo", "web/shop").status == 0)
        #expect(try vault.run("get", "web/shop", "user").output + vault.run("get", "web/shop").output == "annhunter2")
        #expect(try vault.run("verify").status == 0)
        #expect(try vault.run("generate", "made", "--user", "ann", "--preset", "open").status == 0)
        #expect(try vault.run("get", "made", "user").output == "ann")
        try Self.save("add", "added", "--url", "u", "--preset", "open", to: vault)
        #expect(try vault.run("get", "added", "url").output == "u")
        let words = [
            ["--field", "a b=c"], ["--field", "hunter2"], ["--user", "a", "--field", "user=b"],
            ["--forget", "--user", "a"],
        ]
        for words in words {
            let run = try vault.run(["set", "x", "--replace"] + words, input: Data("x".utf8))
            #expect(run.status == 2 && !run.errors.contains("hunter2"), "\(run)")
        }
    }

    /// What protects the value protects the fields, and no list of them asks.
    @Test func fieldsOfAProtectedSecretAreProtected() throws {
        let vault = try VaultAtTerminal()
        try Self.save("set", "a", "--user", "ann", "--preset", "passcode", to: vault)
        #expect(try vault.run("get", "a", "user").status == 8)
        let shown = try vault.run("show", "a")
        #expect(shown.status == 0 && shown.output.contains("sealed with the secret: latchkey history a"), "\(shown)")
        let quiet = try vault.at("history", "--fields", "a")
        #expect(quiet.status == 8 && !quiet.shown.contains("Passcode"), "\(quiet)")
        #expect(try vault.at("get", "a", "user", asked: vault.typingPasscode).shown.contains("ann"))
    }

    /// A user name is no secret at the prompt: it has its name, is shown, and is asked for once.
    @Test func aFieldIsAskedForByItsName() throws {
        let vault = try VaultAtTerminal()
        try Self.save("set", "a", "--preset", "open", to: vault)
        let user = try vault.at("edit", "a", "--field", "user", asked: [("user: ", "ann\n")])
        #expect(user.status == 0 && user.shown.contains("user: ann") && !user.shown.contains("again"), "\(user)")
        let pin = try vault.at(
            "edit", "a", "--field", "pin", asked: [("pin: ", "1234\n"), ("Type it again: ", "1234\n")])
        #expect(pin.status == 0 && !pin.shown.contains("1234"), "\(pin)")
        #expect(try vault.run("get", "a", "user").output + vault.run("get", "a", "pin").output == "ann1234")
        #expect(try vault.at("edit", "a", "--field", "url", asked: [("url: ", "\n")]).status == 6)
        let undone = try vault.run("undo", "a")
        #expect(undone.errors.hasPrefix("a has its former value and its former fields again. "), "\(undone)")
    }

    @Test func aMissingFieldIsNamedBeforeAnythingIsAsked() throws {
        let vault = try VaultAtTerminal()
        try Self.save("set", "a", "--user", "ann", "--url", "u", "--preset", "open", to: vault)
        try Self.save("set", "b", "--preset", "open", to: vault)
        let missing = try vault.at("get", "a", "nosuch")
        #expect(missing.status == 4 && missing.shown.contains("has no field nosuch"), "\(missing)")
        #expect(missing.shown.hasSuffix(": it has user and url\n"), "\(missing)")
        let none = try vault.at("get", "b", "pin")
        #expect(none.status == 4 && none.shown.hasSuffix("has no field pin: it has none\n"), "\(none)")
        #expect(!(missing.shown + none.shown).contains("[y/N]"))
        // The names need what reading needs, and no second prompt.
        try Self.save("set", "c", "--user", "ann", "--preset", "every-time", to: vault)
        let kept = try vault.at("get", "c", "URL", asked: vault.typingPasscode)
        #expect(kept.status == 4 && kept.shown.hasSuffix("has no field URL: it has user\n"), "\(kept)")
        #expect(try vault.at("get", "c", "USER", asked: vault.typingPasscode).shown.hasSuffix("\nann\n"))
        let hidden = try vault.run("get", "c", "URL")
        #expect(hidden.status == 8 && !hidden.errors.contains("user"), "\(hidden)")
    }

    /// The word after the name is most likely the secret.
    @Test func aSecretOnTheCommandLineIsNotPrintedBack() throws {
        let vault = try VaultAtTerminal()
        for command in ["set", "add"] {
            let run = try vault.run(command, "a", "hunter2")
            #expect(run.status == 2 && !(run.output + run.errors).contains("hunter2"), "\(run)")
            #expect(run.errors.contains("a secret is not taken from the command line"), "\(run)")
            #expect(run.errors.contains("in its history"), "\(run)")
        }
    }

    @Test(arguments: [
        ("delete", "rm"), ("remove", "rm"), ("cat", "get"), ("insert", "set"), ("create", "set"), ("rename", "mv"),
        ("find", "search"), ("totp", "otp"), ("exec", "run"), ("gte", "get"), ("undelete", "undo"),
    ])
    func aWordOfAnotherToolLeadsToTheCommand(_ word: String, _ command: String) throws {
        let run = try Command.run([word, "x"])
        #expect(run.status == 2, "\(run)")
        #expect(
            run.errors == "latchkey: unknown command \"\(word)\": did you mean \(command)? See latchkey --help\n",
            "\(run)")
    }
}
