public import KeyKit
internal import SodiumKit

/// A private key that the vault has sealed and does not store. Only this vault can use it, and only as its access policy
/// says. It lasts as long as its bytes are kept: the vault cannot delete it.
///
/// The bytes are the format in one byte, the public key, a record as in a row, and the sealed private key. The tag of
/// the record covers its primary key, which is made of the public key.
public struct SealedKey: Hashable, Sendable {
    /// The public half.
    public let publicKey: PublicKey
    /// The bytes to keep.
    public let bytes: [UInt8]

    private static let format: UInt8 = 1

    init(_ publicKey: PublicKey, _ sealed: SealedItem) {
        self.publicKey = publicKey
        bytes = [Self.format] + publicKey.externalRepresentation + sealed.record + sealed.secret
    }

    /// Reads a sealed key. Only its use shows if this vault has sealed it: see ``Vault/isOwn(_:)``.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` with the format ``KeyFormat/sealedKey``.
    public init(_ bytes: [UInt8]) throws(KeyError) {
        let count = 1 + Curve.p256.pointCount
        guard bytes.count > count, bytes[0] == Self.format,
            let publicKey = try? PublicKey(
                externalRepresentation: bytes.span.bytes.extracting(1..<count), .ec)
        else { throw .malformed(.sealedKey) }
        self.publicKey = publicKey
        self.bytes = bytes
    }

    /// The item that the vault seals for this public key: a private key in no access group.
    static func primaryKey(_ publicKey: PublicKey) -> PrimaryKey {
        PrimaryKey(.key, attributes(publicKey), group: "")
    }

    static func attributes(_ publicKey: PublicKey) -> Attributes {
        ["klbl": .data(publicKey.externalRepresentation)]
    }

    /// Lends the record to `body`.
    ///
    /// - Throws: ``VaultError/key(_:)`` if another vault has sealed the key, or the bytes were changed.
    func withRecord<Result: ~Copyable>(
        _ keys: borrowing FixedKeys, _ body: (RecordView) throws -> Result
    ) throws -> Result {
        let record = bytes.span.bytes.extracting(droppingFirst: 1 + publicKey.externalRepresentation.count)
        return try record.withUnsafeBytes { bytes in
            guard let record = try? RecordView(bytes, row: nil, keys.header),
                record.header.primaryKey.equals(Self.primaryKey(publicKey).tag(keys.index))
            else { throw VaultError.key(.malformed(.sealedKey)) }
            return try body(record)
        }
    }
}
