import AccessPolicy
import DeviceModel
import Foundation
import KeyKit
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The expected rows of `Fixtures/vectors/kept/keys`, from its `expect.json`.
struct KeptKeys: Codable {
    /// A row and what comes of it.
    struct Row: Codable {
        var label: String
        /// Apple's value of `kSecClass`.
        var itemClass: String
        /// True if the row is a private key that operations use.
        var isKey: Bool
        /// The secret in hexadecimal digits; nil if it has none, or nothing reads it.
        var secretHex: String?
    }

    var title: String
    var passcode: String
    /// The number of the finger that is presented.
    var finger: UInt8
    var rows: [Row]

    static let name = "keys"

    static func expected() throws -> KeptKeys {
        try JSONDecoder().decode(
            KeptKeys.self, from: Data(contentsOf: KeptVectors.url(name).appending(path: "expect.json")))
    }

    /// Opens a copy of the vault, and calls `body` with a context in which passcode and finger are authenticated.
    func inUse(_ body: (Vault, VaultContext) throws -> Void) throws {
        let bench = try Specimen.Bench()
        try KeptVectors.inUse(try VaultFiles(in: KeptVectors.url(Self.name).path), bench) { vault in
            let context = try vault.makeContext()
            try #require(try vault.enter(passcode: Cast.bytes(passcode), in: context).authenticated(.passcode))
            try vault.record(.presented(Cast.finger(finger)), in: context)
            try body(vault, context)
        }
    }
}

/// Rows of keys, certificates and identities that were stored before there were keys, certificates and identities as
/// objects: any bytes, and none.
@Suite struct KeptKeysTests {
    private static func found(_ vault: Vault) throws -> [String: StoredItem] {
        var items: [String: StoredItem] = [:]
        for found in try vault.find(ItemSearch(nil)) {
            let item = try #require(try vault.inventory(.id(found.id), for: Cast.app).value())
            guard case .string(let label) = item.description.attributes["labl"] else { continue }
            items[label] = item
        }
        return items
    }

    @Test func theyAreListedAsTheyWereStored() throws {
        let expected = try KeptKeys.expected()
        try expected.inUse { vault, _ in
            let found = try Self.found(vault)
            #expect(found.keys.sorted() == expected.rows.map(\.label).sorted())
            for row in expected.rows {
                let item = try #require(found[row.label]).description
                #expect(item.itemClass.rawValue == row.itemClass && item.isKey == row.isKey, "\(row.label)")
            }
            #expect(try vault.verify().findings.isEmpty)
        }
    }

    @Test func theirBytesAreReadAndAKeyOfTheEnclaveGivesNone() throws {
        let expected = try KeptKeys.expected()
        try expected.inUse { vault, context in
            let found = try Self.found(vault)
            for row in expected.rows {
                let id = ItemReference.id(try #require(found[row.label]).id)
                switch try vault.read(id, for: Cast.app, in: context) {
                case .granted(.some(let bytes)):
                    #expect(bytes.withBytes { KeptVectors.hex($0.withUnsafeBytes { Array($0) }) } == row.secretHex)
                case .granted(.none): #expect(row.secretHex == nil && !row.isKey, "\(row.label)")
                case .challenge: Issue.record("\(row.label) asks")
                case .denied(let denial):
                    #expect(row.isKey && denial.rule == .operationWithoutEntry, "\(row.label): \(denial)")
                }
            }
        }
    }

    /// Bytes that are no key fail where they are used, each time, with the error that says so.
    @Test func aKeyThatIsNoneFailsAtItsUse() throws {
        let expected = try KeptKeys.expected()
        let other = try PrivateKey.generate(.ec(.p256)).publicKey
        let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
        let operations: [KeyOperation] = [
            .sign([1, 2, 3], .ecdsa(.x962, .sha256, .message)), .sign([1], .rsaPSS(.sha256, .message)),
            .agree(other, nil), .agree(other, KeyDerivation(.sha256, count: 32)),
            .decrypt(try other.encrypt([1].span.bytes, with: scheme), scheme, EncryptionParameters()),
        ]
        let errors: [KeyError] = [.malformed(.point), .invalidPoint, .unsupportedScheme(.ec(.p256))]
        try expected.inUse { vault, context in
            let found = try Self.found(vault)
            for row in expected.rows {
                let id = ItemReference.id(try #require(found[row.label]).id)
                for operation in operations {
                    switch try vault.use(id, operation, for: Cast.app, in: context) {
                    case .granted(.done): Issue.record("\(row.label) is a key")
                    case .granted(.failed(let error)):
                        #expect(
                            row.isKey && errors.contains(error), "\(row.label): \(error)")
                    case .challenge: Issue.record("\(row.label) asks")
                    case .denied(let denial):
                        #expect(!row.isKey && denial.rule == .operationWithoutEntry, "\(row.label): \(denial)")
                    }
                }
            }
            #expect(try vault.verify().findings.isEmpty)
        }
    }

    @Test func theyAreDeletedAndChanged() throws {
        let expected = try KeptKeys.expected()
        try expected.inUse { vault, context in
            for (label, item) in try Self.found(vault) {
                var changes = ItemChanges()
                changes.merging = ["labl": .string(label + "!")]
                let isChanged = try vault.update(
                    .id(item.id), changes, secret: .keep, for: Cast.app, in: context
                ).isGranted
                let isDeleted = try vault.delete(.id(item.id), for: Cast.app, in: context).isGranted
                #expect(isChanged && isDeleted, "\(label)")
            }
            #expect(try Self.found(vault).isEmpty)
            #expect(try vault.verify().findings.isEmpty)
        }
    }
}
