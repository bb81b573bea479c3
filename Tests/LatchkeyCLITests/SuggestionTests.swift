import TestSupport
import Testing

/// The suggestion for a misspelled name.
@Suite(.waitsForProcesses) struct SuggestionTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("github/token", "secret")
    }

    private static let commands = [
        "get gihub/token", "show gihub/token", "edit gihub/token --comment c", "mv gihub/token b", "rm gihub/token",
        "run --env T=gihub/token -- true",
    ]

    @Test func theNearestNameIsSuggested() throws {
        for command in Self.commands {
            let run = try vault.sh("latchkey \(command)")
            #expect(run.status == 4 && run.output.isEmpty, "\(command): \(run)")
            #expect(run.errors == "latchkey: no secret gihub/token: did you mean github/token?\n", "\(command)")
        }
        #expect(try vault.names() == ["github/token"])
    }

    @Test func aNameThatIsFarFromAllGetsNone() throws {
        let run = try vault.sh("latchkey get mail")
        #expect(run.status == 4)
        #expect(run.errors == "latchkey: no secret mail: run `latchkey list` to see the names\n")
    }

    /// A locked vault does not reveal its names.
    @Test func aLockedVaultSuggestsNothing() throws {
        try vault.lock()
        for command in Self.commands {
            let run = try vault.sh("latchkey \(command)")
            #expect([4, 5].contains(run.status), "\(command): \(run)")
            #expect(!(run.output + run.errors).contains("github/token"), "\(command): \(run)")
        }
    }

    @Test func removingByForceNeedsNoSuggestion() throws {
        let run = try vault.sh("latchkey rm --force gihub/token")
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    }

    @Test func aNewNameIsNoMistake() throws {
        let run = try vault.sh("echo x | latchkey set gihub/token --preset open")
        #expect(run.status == 0 && run.errors == "Saved gihub/token; opens while the vault is unlocked.\n")
    }
}
