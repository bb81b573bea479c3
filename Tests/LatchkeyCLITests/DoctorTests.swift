import Foundation
import TestSupport
import Testing

/// What keeps a vault from working or from being safe is found, each with what mends it.
@Suite(.serialized) struct DoctorTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    private struct Finding: Decodable {
        let what: String
        let says: String
        let fix: String?
    }

    private func findings(_ changes: [String: String] = [:]) throws -> [Finding] {
        let run = try vault.sh("latchkey doctor --json", changes)
        let findings = try JSONDecoder().decode([Finding].self, from: Data(run.output.utf8))
        #expect(run.status == (findings.contains { $0.fix != nil } ? 1 : 0))
        return findings
    }

    private var path: String { vault.environment["LATCHKEY_HOME"] ?? "" }

    @Test func aVaultThatIsInOrderHasOnlyWhatTheMachineLacks() throws {
        let findings = try findings()
        #expect(
            Set(findings.map(\.what)).isSuperset(of: [
                "files", "settings", "PAM", "locked memory", "socket", "agent", "clock",
            ]))
        // A machine without logind cannot say when it sleeps.
        #expect(findings.filter { $0.fix != nil }.allSatisfy { $0.what == "sleep" })
        let text = try vault.sh("latchkey doctor").output
        for finding in findings { #expect(text.contains(finding.says)) }
    }

    @Test(arguments: ["vault.db", "device", "lock"]) func aFileThatIsOpenToOthersIsFound(_ name: String) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file) }
        let finding = try #require(try findings().first { $0.what == "files" })
        #expect(finding.says.contains("\(name) is open to others"))
        #expect(finding.fix?.hasPrefix("chmod 600 ") == true)
    }

    @Test func settingsThatAreNotUnderstoodAreFound() throws {
        let file = path + "/settings.json"
        try "{\"lock-afer\":5}".write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let finding = try #require(try findings().first { $0.what == "settings" })
        #expect(finding.says.contains("lock-afer"))
        #expect(finding.fix != nil)
    }

    @Test func aServiceThatIsNotThereIsFound() throws {
        let file = path + "/settings.json"
        try "{\"pam\":{\"service\":\"nowhere\",\"folder\":\"/etc/pam.d\"}}"
            .write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let finding = try #require(try findings().first { $0.what == "PAM" })
        #expect(finding.says.contains("/etc/pam.d/nowhere"))
        #expect(finding.fix != nil)
    }

    @Test func aFolderOfTheSocketThatOthersMayEnterIsFound() throws {
        let folder = (vault.environment["XDG_RUNTIME_DIR"] ?? "") + "/latchkey"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let found = try findings()
        #expect(found.first { $0.what == "socket" }?.fix != nil)
        #expect(found.first { $0.what == "agent" }?.fix != nil, "a client trusts no such folder either")
    }

    @Test func withoutAVaultThereIsNothingToLookAt() throws {
        let run = try vault.sh("latchkey doctor --vault /nowhere/at/all")
        #expect(run.status == 12)
        #expect(run.errors.contains("latchkey init"))
    }
}
