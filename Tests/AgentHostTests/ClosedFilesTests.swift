import AgentProtocol
import Foundation
import TestSupport
import Testing

extension AgentTests {
    /// Vaults with files that their own user may not write to. Root could write to them all the same.
    @Suite(.serialized) struct ClosedFilesTests {
        private static let user = Privileges.isRoot ? Privileges.ordinaryUser : nil

        @Test(
            arguments: [
                ("vault.db", 0o400, "u+rw"), ("vault.db", 0o200, "u+rw"), ("vault.db", 0, "u+rw"),
                ("device", 0o400, "u+rw"),
                ("lock", 0o400, "u+rw"), ("vault.db-shm", 0o400, "u+rw"), ("vault.db-wal", 0o400, "u+rw"),
                ("", 0o500, "u+rwx"), ("", 0o600, "u+rwx"),
            ] as [(String, mode_t, String)])
        func whatIsClosedIsOpenedByTheCommandThatIsNamed(_ name: String, _ mode: mode_t, _ rights: String) throws {
            let vault = try VaultOfTest(user: Self.user)
            let file = name.isEmpty ? vault.path : "\(vault.path)/\(name)"
            let before = try FileManager.default.contentsOfDirectory(atPath: vault.path).sorted()
            if !FileManager.default.fileExists(atPath: file) {
                try Data().write(to: URL(filePath: file))
                if let user = Self.user { #expect(chown(file, user, user) == 0) }
            }
            #expect(chmod(file, mode) == 0)
            for _ in 0..<2 {
                let refused = #expect(throws: RunningAgent.DidNotStart.self) {
                    _ = try RunningAgent(vault, prefix: Privileges.words())
                }
                let said = refused?.description ?? ""
                #expect(said.contains("chmod \(rights) \(file)"), "\(said)")
            }
            // A test leaves no closed file behind.
            #expect(chmod(file, name.isEmpty ? 0o700 : 0o600) == 0)
            let after = try FileManager.default.contentsOfDirectory(atPath: vault.path).sorted()
            #expect(Set(after).subtracting(before).subtracting([name, "agent.lock"]) == [])
            let agent = try RunningAgent(vault, prefix: Privileges.words())
            #expect(agent.isAlive)
        }
    }
}
