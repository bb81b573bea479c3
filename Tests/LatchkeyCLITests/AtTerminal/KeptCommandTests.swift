import Foundation
import TestSupport
import Testing

/// The vault and the backup in `Fixtures/vectors/kept/command`, which the command of an earlier version wrote. A user who
/// upgrades goes on with them.
@Suite(.waitsForProcesses) struct KeptCommandTests {
    private struct Expected: Decodable {
        struct Secret: Decodable {
            let name: String
            let secret: String
            /// The number of prompts for two reads in one session.
            let prompts: Int
            /// True if a backup brings it into another vault.
            let travels: Bool
        }

        let passcode: String
        let passphrase: String
        let recoveryKey: String
        /// The beginning of each setting, as `latchkey config` shows it.
        let settings: [String: String]
        let secrets: [Secret]
    }

    private static let source = Repository.root.appending(path: "Fixtures/vectors/kept/command")
    private static let expected = Result {
        try JSONDecoder().decode(Expected.self, from: Data(contentsOf: source.appending(path: "expect.json")))
    }

    /// Returns a copy of the vault, for one test.
    private static func copy() throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal(passcode: expected.get().passcode, none: ())
        let files = FileManager.default
        try files.createDirectory(
            atPath: vault.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in ["vault.db", "device", "lock"] {
            let content = name == "lock" ? Data() : try Data(contentsOf: source.appending(path: name))
            try #require(
                files.createFile(
                    atPath: "\(vault.folder)/\(name)", contents: content, attributes: [.posixPermissions: 0o600]))
        }
        return vault
    }

    @Test func itsSecretsOpenAsTheirPoliciesSay() throws {
        let vault = try Self.copy()
        #expect(try vault.at("unlock", asked: vault.typingPasscode).status == 0)
        for secret in try Self.expected.get().secrets {
            // Each session is new, so the passcode that unlocked counts in none of them.
            let session = try ReuseTests.session(
                "for i in 1 2; do latchkey get \(secret.name) | cat; echo; done", vault)
            #expect(session.prompts == secret.prompts, "\(secret.name): \(session.shown)")
            #expect(session.shown.ranges(of: secret.secret).count == 2, "\(secret.name): \(session.shown)")
        }
        let verified = try vault.run("verify")
        #expect(verified.status == 0, "\(verified)")
    }

    @Test func itsSettingsAreThoseThatWereSet() throws {
        let vault = try Self.copy()
        let shown = try vault.run("config").output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        let settings = Dictionary(shown.map { ($0[0], $0[1].trimmingCharacters(in: .whitespaces)) }) { first, _ in first
        }
        for (name, begin) in try Self.expected.get().settings {
            #expect(settings[name[...]]?.hasPrefix(begin) == true, "\(name): \(settings)")
        }
    }

    @Test func itsRecoveryKeySetsANewPasscode() throws {
        let vault = try Self.copy()
        let recovered = try vault.at(
            "recover",
            asked: [
                ("Recovery key: ", try Self.expected.get().recoveryKey + "\n"), ("New passcode: ", "another horse\n"),
                ("Type it again: ", "another horse\n"),
            ])
        #expect(recovered.status == 0, "\(recovered)")
        let read = try vault.at("get", "code", "--show", asked: [("Passcode: ", "another horse\n")])
        #expect(read.shown.contains("code secret"), "\(read)")
    }

    @Test func itsBackupBringsWhatMayTravel() throws {
        let vault = try VaultAtTerminal()
        let expected = try Self.expected.get()
        let file = vault.place.path("kept.backup")
        try FileManager.default.copyItem(
            atPath: Self.source.appending(path: "passphrase.backup").path, toPath: file)
        let terminal = try vault.start(["restore", file])
        for _ in 1...2 {
            try terminal.wait(forAnyOf: ["Passcode: ", "Passphrase: "])
            terminal.type((terminal.lastSeen == "Passcode: " ? vault.passcode : expected.passphrase) + "\n")
        }
        let status = terminal.end()
        #expect(status == 0 || status == 1, "one secret stays where it is: \(terminal.shown)")
        let names = try vault.run("list", "--names").output.split(separator: "\n").map(String.init)
        #expect(names.sorted() == expected.secrets.filter(\.travels).map(\.name).sorted(), "\(terminal.shown)")
        for secret in expected.secrets where secret.travels {
            let session = try ReuseTests.session("latchkey get \(secret.name) | cat", vault)
            #expect(session.shown.contains(secret.secret), "\(session)")
        }
    }
}
