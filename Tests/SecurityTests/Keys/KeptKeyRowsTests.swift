import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import Security
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Rows of keys, certificates and identities that an earlier version stored, through Apple's names. The vault is
/// `Fixtures/vectors/kept/keys`; its bytes are no keys and no certificates.
@Suite struct KeptKeyRowsTests {
    private struct Expected: Decodable {
        struct Row: Decodable {
            var label: String
            var itemClass: String
            var isKey: Bool
            var secretHex: String?
        }

        var passcode: String
        var rows: [Row]
    }

    private static let vector = Repository.root.appending(path: "Fixtures/vectors/kept/keys")
    private static let expected = Result {
        try JSONDecoder().decode(Expected.self, from: Data(contentsOf: vector.appending(path: "expect.json")))
    }

    /// Opens a copy of the vault, unlocked, for its owner.
    private func inUse(_ body: ([Expected.Row]) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let files = FileManager.default
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in ["vault.db", "device", "lock"] {
            let content = name == "lock" ? Data() : try Data(contentsOf: Self.vector.appending(path: name))
            let isMade = files.createFile(
                atPath: path + "/" + name, contents: content, attributes: [.posixPermissions: 0o600])
            try #require(isMade)
        }
        let expected = try Self.expected.get()
        let owner = SimulatedPerson(fingers: ["right index"], passcode: expected.passcode)
        let keychain = try Keychain.openSimulated(at: path, user: owner)
        defer { keychain.close() }
        try #require(try keychain.unlock(passcode: SecureBytes(expected.passcode)).authenticated(.passcode))
        try keychain.asCurrent { try body(expected.rows) }
    }

    private func query(_ row: Expected.Row, _ more: [CFString: Any] = [:]) -> CFDictionary {
        let named: [CFString: Any] = [kSecClass: row.itemClass, kSecAttrLabel: row.label]
        return named.merging(more) { $1 } as CFDictionary
    }

    @Test func theyAreListed() throws {
        try inUse { rows in
            for itemClass in [kSecClassKey, kSecClassCertificate] {
                var found: CFTypeRef?
                let query: [CFString: Any] = [
                    kSecClass: itemClass, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                ]
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                let labels = (found as? [[String: Any]])?.compactMap { $0[kSecAttrLabel as String] as? String } ?? []
                let expected = rows.filter { $0.itemClass == itemClass as String }.map(\.label)
                #expect(labels.sorted() == expected.sorted())
            }
        }
    }

    @Test func theirDataIsRead() throws {
        try inUse { rows in
            for row in rows {
                var found: CFTypeRef?
                let status = SecItemCopyMatching(query(row, [kSecReturnData: true]), &found)
                let hex = (found as? Data)?.map { String(String(UInt16($0) + 256, radix: 16).dropFirst()) }.joined()
                #expect(hex == row.secretHex, "\(row.label): \(status)")
                #expect(row.secretHex == nil || status == errSecSuccess, "\(row.label)")
            }
        }
    }

    /// Bytes that are no key and no certificate give no object. Apple's call succeeds then, with nothing (semantics 11).
    @Test func theyGiveNoObjects() throws {
        try inUse { rows in
            for row in rows {
                var found: CFTypeRef?
                _ = SecItemCopyMatching(query(row, [kSecReturnRef: true]), &found)
                #expect(found == nil, "\(row.label)")
                var all: CFTypeRef?
                _ = SecItemCopyMatching(query(row, [kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]), &all)
                #expect((all as? [Any] ?? []).isEmpty, "\(row.label)")
            }
        }
    }

    @Test func theyAreChangedAndDeleted() throws {
        try inUse { rows in
            for row in rows {
                let change = [kSecAttrLabel: row.label + "!"] as CFDictionary
                #expect(SecItemUpdate(query(row), change) == errSecSuccess, "\(row.label)")
                var changed = row
                changed.label += "!"
                #expect(SecItemDelete(query(changed)) == errSecSuccess, "\(row.label)")
                #expect(SecItemCopyMatching(query(changed), nil) == errSecItemNotFound, "\(row.label)")
            }
        }
    }
}
