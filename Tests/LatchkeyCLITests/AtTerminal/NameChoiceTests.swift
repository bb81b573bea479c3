import Foundation
import TestSupport
import Testing

/// A choice between names by a program that has the whole terminal.
@Suite(.waitsForProcesses) struct NameChoiceTests {
    private static let hasFinder = FileManager.default.isExecutableFile(atPath: "/usr/bin/fzf")

    /// The real fzf, in a terminal that can move its cursor. Its settings in the environment mean nothing.
    @Test(.enabled(if: hasFinder, "skipped: needs the Debian package fzf")) func fzfChooses() throws {
        let vault = try VaultAtTerminal("--default-policy", "open")
        for name in ["work/token", "home/token"] {
            try vault.run("set", name, input: Data("secret of \(name)".utf8))
        }
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
}
