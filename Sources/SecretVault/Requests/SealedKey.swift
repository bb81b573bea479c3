public import KeyKit
internal import SodiumKit

/// A private key that the vault has sealed and does not store. Only this vault can use it, and only as its access policy
/// says. It lasts as long as its bytes are kept: the vault cannot delete it.
///
/// The bytes are the format in one byte, the public key, a record as in a row, the sealed private key, and a tag over all
/// of it. The record's primary key is made of the public key, so a record in a row is never taken for one in here.
public struct SealedKey: Hashable, Sendable {
    /// The public half.
    public let publicKey: PublicKey
    /// The bytes to keep.
    public let bytes: [UInt8]

    private static let format: UInt8 = 1

    init(_ publicKey: PublicKey, _ sealed: SealedItem, _ keys: borrowing FixedKeys) {
        self.publicKey = publicKey
        let content = [Self.format] + publicKey.externalRepresentation + sealed.record + sealed.secret
        bytes = content + Self.tag(of: content, keys.index).withBytes { $0.withUnsafeBytes { Array($0) } }
    }

    /// Reads a sealed key. Only its use shows if this vault has sealed it: see `Vault.isOwn(_:)`.
    ///
    /// - Throws: `KeyError.malformed(.sealedKey)`.
    public init(_ bytes: [UInt8]) throws(KeyError) {
        let count = 1 + Curve.p256.pointCount
        guard bytes.count >= count + Tag.count, bytes.count <= Self.longest, bytes[0] == Self.format,
            let publicKey = try? PublicKey(
                externalRepresentation: bytes.span.bytes.extracting(1..<count), .ec)
        else { throw .malformed(.sealedKey) }
        self.publicKey = publicKey
        self.bytes = bytes
    }

    /// The limit on the number of bytes. The longest key, under a policy with four ways, has less than half of it.
    private static let longest = 4096

    /// The tag over everything before it. No other tag under the same key begins with this letter.
    private static func tag(of content: some Sequence<UInt8>, _ indexKey: borrowing Key) -> Tag {
        let tagged = [UInt8(ascii: "S")] + content
        return Tag(of: tagged.span.bytes, under: indexKey)
    }

    /// The item that the vault seals for this public key: a private key in no access group.
    static func primaryKey(_ publicKey: PublicKey) -> PrimaryKey {
        PrimaryKey(.key, attributes(publicKey), group: "")
    }

    static func attributes(_ publicKey: PublicKey) -> Attributes {
        Attributes([.applicationLabel: .data(publicKey.externalRepresentation)])
    }

    /// Lends the record to `body`.
    ///
    /// - Throws: ``VaultError/key(_:)`` if another vault has sealed the key, or the bytes were changed.
    func withRecord<Result: ~Copyable>(
        _ keys: borrowing FixedKeys, _ body: (RecordView) throws -> Result
    ) throws -> Result {
        let content = bytes.dropLast(Tag.count)
        let tag = Self.tag(of: content, keys.index)
        guard tag.equals(Tag(bytes.span.bytes.extracting(droppingFirst: content.count))) else {
            throw VaultError.key(.malformed(.sealedKey))
        }
        let record = bytes.span.bytes.extracting(1 + publicKey.externalRepresentation.count..<content.count)
        return try record.withUnsafeBytes { bytes in
            guard let record = try? RecordView(bytes, row: nil, keys.header),
                record.header.primaryKey.equals(Self.primaryKey(publicKey).tag(keys.index))
            else { throw VaultError.key(.malformed(.sealedKey)) }
            return try body(record)
        }
    }
}
