import Foundation
import Latchkey
import LatchkeyTesting
import SecretVault
import Security
import SodiumKit
import TestSupport
import Testing

/// Rows of the class of identities, which earlier versions stored. They stay readable, and can be changed and deleted.
@Suite struct OldIdentityRowsTests {
    private let device = SimulatedDevice()

    private func find(_ query: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }

    /// Stores a row as an earlier version did.
    private func storeRow(_ label: String) throws {
        let attributes: Attributes = [
            "labl": .string(label), "issr": .data([1]), "slnr": .data(Array(label.utf8)), "klbl": .data([2]),
        ]
        _ = try device.keychain.add(
            NewItem(.identity, attributes), secret: SecureBytes(copying: Array("bytes".utf8).span.bytes))
    }

    private let query: [CFString: Any] = [kSecClass: kSecClassIdentity]

    @Test func theyAreListedReadAndDeleted() throws {
        try device.run {
            try storeRow("one")
            try storeRow("two")
            #expect((find(query.attributes.all).result as? [[String: Any]])?.count == 2)
            let row = find(query.with([kSecAttrLabel: "one"]).attributes.data).result as? [String: Any]
            #expect(row?["v_Data"] as? Data == Data("bytes".utf8) && row?["labl"] as? String == "one")
            #expect(find(query.with(["klbl": Data([2])]).data).result as? Data == Data("bytes".utf8))
            let reference = try #require(find(query.with([kSecAttrLabel: "one"]).reference).result as? Data)
            #expect(find(item(reference).data).result as? Data == Data("bytes".utf8))
            // They have no object.
            #expect(find(query.object).status == errSecSuccess && find(query.object).result == nil)
            #expect((find(query.object.all).result as? [Any])?.isEmpty == true)
            let change = [kSecAttrLabel: "new"] as CFDictionary
            #expect(SecItemUpdate(query.with([kSecAttrLabel: "two"]) as CFDictionary, change) == errSecSuccess)
            #expect(find(query.with([kSecAttrLabel: "new"])).status == errSecSuccess)
            #expect(SecItemDelete(item(reference) as CFDictionary) == errSecSuccess)
            #expect(find(item(reference)).status == errSecItemNotFound)
            #expect(SecItemDelete(query.with(["klbl": Data([2])]) as CFDictionary) == errSecSuccess)
            #expect(SecItemDelete(query as CFDictionary) == errSecItemNotFound)
        }
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
    func theyStandBehindPairs() throws {
        let some = SomeCertificates.shared
        let identity = SomeCertificates.identity(some.leafArchive)
        try device.run {
            try storeRow("old")
            #expect(SecItemAdd([kSecValueRef: identity], nil) == errSecSuccess)
            let labels = (find(query.attributes.all).result as? [[String: Any]])?.map { $0["labl"] as? String }
            #expect(labels == ["Some Name", "old"])
            #expect((find(query.attributes.upTo(1)).result as? [String: Any])?["labl"] as? String == "Some Name")
            #expect((find(query.attributes.upTo(2)).result as? [Any])?.count == 2)
            #expect(find(query.object.all).result as? [SecIdentity] == [identity])
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            for itemClass in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(find([kSecClass: itemClass]).status == errSecItemNotFound)
            }
        }
    }
}
