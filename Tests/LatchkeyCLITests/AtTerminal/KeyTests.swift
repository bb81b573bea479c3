import Foundation
import TestSupport
import Testing

/// Private keys, for files that are none and users who may lock little memory.
@Suite(.waitsForProcesses) struct KeyTests {
    /// A vault with a folder for files, where scripts run.
    private struct Place {
        let vault: VaultAtTerminal
        let folder: TemporaryFolder

        init() throws {
            vault = try VaultAtTerminal()
            folder = try TemporaryFolder(inMemory: true)
            try Data("a message\n".utf8).write(to: URL(filePath: folder.path("m")))
        }

        /// Runs a script in the folder without a terminal, with the command as `latchkey`.
        func sh(_ script: String) throws -> Command.Run {
            try Command.run(
                [
                    "-w", "/bin/sh", "-c",
                    "cd '\(folder.url.path)' && latchkey() { '\(Command.binary.path)' \"$@\"; }; "
                        + "set -e; \(script)",
                ],
                environment: vault.environment, program: URL(filePath: "/usr/bin/setsid"))
        }

        func expect(_ script: String, _ location: SourceLocation = #_sourceLocation) throws {
            let run = try sh(script)
            #expect(run.status == 0, "\(script): \(run)", sourceLocation: location)
        }
    }

    /// Bytes that are no key are an error, and never end the agent.
    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs openssl")) func hostileFilesAreRefused() throws {
        let place = try Place()
        try place.expect("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -outform DER -out k.der")
        let agent = try place.vault.agent
        let whole = try Data(contentsOf: URL(filePath: place.folder.path("k.der")))
        var files = stride(from: 0, to: whole.count, by: 9).map { whole.prefix($0) }
        for byte in stride(from: 0, to: 36, by: 5) {
            var changed = whole
            changed[byte] ^= 0x55
            files.append(changed)
        }
        files += [
            Data("-----BEGIN PRIVATE KEY-----\n".utf8),
            Data("-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----".utf8),
            Data("-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----\n".utf8),
            Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
            Data(repeating: 0x30, count: 100_000), Data("-----BEGIN ".utf8),
        ]
        for file in files {
            let run = try place.vault.run(["key", "import", "bad"], input: file)
            #expect(
                run.status == 2 && run.errors.hasPrefix("latchkey: standard input: "),
                "\(Array(file.prefix(40))): \(run)")
        }
        #expect(try place.vault.run("key", "list", "--names").output.isEmpty)
        #expect(try place.vault.agent == agent)
    }

    /// An ordinary user may lock little memory.
    @Test(.needsOrdinaryUser) func anOrdinaryUserWithLittleMemoryUsesKeys() throws {
        let place = try Place()
        try place.expect(
            """
            latchkey agent stop; ulimit -l 256
            latchkey status >/dev/null
            """)
        #expect(try place.vault.at("unlock", asked: place.vault.typingPasscode).status == 0)
        try place.expect(
            """
            latchkey key generate a --preset open >a.pem; latchkey key sign a m >sig; latchkey key verify --public a.pem sig m
            latchkey key generate r --type rsa4096 --preset open; latchkey key encrypt r m | latchkey key decrypt r | cmp - m
            """)
    }
}
