import AgentProtocol
import Foundation
import TestSupport
import Testing

/// `latchkey run`, with real children.
@Suite(.waitsForProcesses) struct RunCommandTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("db/password", "alphasecret")
    }

    @Test func noSecretIsInArgumentsOrInTheEnvironmentOfTheCommandItself() throws {
        // The child looks at its parent, which is `latchkey run`.
        let look =
            "tr '\\0' ' ' </proc/$PPID/cmdline; tr '\\0' ' ' </proc/$PPID/environ || echo denied; cat /proc/$PPID/comm"
        let run = try vault.sh("P=latchkey://db/password latchkey run --yes -- sh -c \"$LOOK\" 2>&1", ["LOOK": look])
        #expect(run.output.hasPrefix("latchkey run --yes -- sh -c") && run.output.hasSuffix("latchkey\n"))
        #expect(run.output.contains(getuid() == 0 ? "P=latchkey://db/password" : "denied"))
        #expect(!run.output.contains("<concealed") && !run.output.contains("alphasecret"))
    }

    /// In /proc, root owns the files of a process that cannot be dumped, and everyone can see the owner.
    @Test(.needsOrdinaryUser) func nobodyLooksIntoTheCommandThatHoldsSecrets() throws {
        let owner = try vault.sh(
            "latchkey run --env P=db/password -- sh -c 'stat -c %u /proc/$PPID/environ /proc/self/environ'")
        #expect(owner.output == "0\n\(getuid())\n")
    }
}
