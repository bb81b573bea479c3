import Foundation
import TestSupport
import Testing

extension SSHTests {
    private static let passphrase = "a passphrase"

    /// Makes a key with a passphrase. Returns the path of its file.
    private func protectedKey() throws -> String {
        let path = vault.place.path("home/p")
        #expect(try sh("ssh-keygen -q -t ed25519 -N '\(Self.passphrase)' -f '\(path)'").status == 0)
        return path
    }

    /// The folders with copies of secrets. They come and go with the commands.
    private var copies: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: vault.runtime).filter { $0.hasPrefix("latchkey-") }
        }
    }

    @Test func aPassphraseIsTypedForSSHKeygen() throws {
        let path = try protectedKey()
        let file = try String(contentsOfFile: path, encoding: .utf8)
        func add(typing passphrase: String) throws -> (status: Int32, shown: String) {
            try vault.at(
                "ssh", "add", "p", "--import", path, "--require", "nothing",
                asked: [("old passphrase: ", passphrase + "\n")])
        }
        let wrong = try add(typing: "another")
        #expect(wrong.status == 7 && wrong.shown.contains("nothing was imported: run the command again"), "\(wrong)")
        #expect(try vault.run("ssh", "public", "p").status == 4)

        let added = try add(typing: Self.passphrase)
        #expect(added.status == 0, "\(added)")
        let key = try String(contentsOfFile: path + ".pub", encoding: .utf8).split(separator: " ")
        let line = try vault.run("ssh", "public", "p").output
        #expect(line == "\(key[0]) \(key[1]) p\n")
        try write(line, "authorized")
        #expect(try sh(ssh("p", "bastion.test echo IN")).output == "IN\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == file, "the file was changed")
        #expect(try copies.isEmpty)
    }

    /// ssh-keygen wants the file as it has written it. Editors, mail and clipboards change it.
    @Test func aFileThatWasCarriedAroundStillOpens() throws {
        let path = try protectedKey()
        let file = try String(contentsOfFile: path, encoding: .utf8)
        let forms = [
            file.replacing("\n", with: "\r\n"), "\n# of the laptop\n" + file, String(file.dropLast()),
            file.replacing("-\n", with: "- \n"),
        ]
        for (number, form) in forms.enumerated() {
            try write(form, "form")
            let run = try vault.at(
                "key", "import", "form\(number)", vault.place.path("home/form"),
                asked: [("old passphrase: ", Self.passphrase + "\n")])
            #expect(run.status == 0, "\(number): \(run)")
        }
    }

    /// The passphrase is typed at the terminal, whatever the command reads and wherever ssh asks otherwise.
    @Test func settingsOfSSHDoNotMoveThePrompt() throws {
        let path = try protectedKey()
        let program = "'\(Command.binary.path)'"
        for (name, line) in [
            ("forced", "SSH_ASKPASS=/bin/false SSH_ASKPASS_REQUIRE=force \(program) key import forced '\(path)'"),
            ("piped", "DISPLAY=:99 SSH_ASKPASS=/bin/false \(program) key import piped <'\(path)'"),
        ] {
            let terminal = try start(line)
            try terminal.answer([("old passphrase: ", Self.passphrase + "\n")])
            try terminal.wait(for: "END 0")
            #expect(try vault.run("key", "list", "--names").output.contains(name + "\n"), "\(terminal.shown)")
        }
    }

    /// Where no terminal is, nothing of ssh asks either: neither in a window, nor by reading what was meant for others.
    @Test(arguments: ["", "DISPLAY=:99", "WAYLAND_DISPLAY=wayland-99"])
    func withoutATerminalTheFileIsRefused(_ display: String) throws {
        let path = try protectedKey()
        let run = try sh("echo '\(Self.passphrase)' | \(display) '\(Command.binary.path)' key import p '\(path)'")
        #expect(run.status == 2 && run.errors.contains("ssh-keygen -p -N '' -f COPY"), "\(run)")
    }

    /// A key such as Ctrl-C ends the command as well. Nothing is left, and no core dump could be.
    @Test func anInterruptEndsTheImport() throws {
        let path = try protectedKey()
        let terminal = try CommandAtTerminal(
            ["-c", "ulimit -S -c \"$(ulimit -H -c)\"; exec '\(Command.binary.path)' key import p '\(path)'"],
            program: "/bin/sh", environment: vault.environment)
        try terminal.wait(for: "old passphrase: ")
        #expect(try copies.count == 1)
        let child = try sh("pgrep -P \(terminal.process) ssh-keygen").output
        let number = child.trimmingCharacters(in: .whitespacesAndNewlines)
        let limits = try String(contentsOfFile: "/proc/\(number)/limits", encoding: .utf8)
        // One byte is less than any core dump has, and keeps it from a program that collects them.
        #expect(limits.contains(/Max core file size\s+[01]\s/), "\(limits)")
        terminal.type("\u{3}")
        #expect(terminal.end() == -SIGINT, "\(terminal.shown)")
        #expect(terminal.settings == terminal.settingsAtFirst)
        #expect(try copies.isEmpty)
        #expect(try vault.run("ssh", "public", "p").status == 4)
    }
}
