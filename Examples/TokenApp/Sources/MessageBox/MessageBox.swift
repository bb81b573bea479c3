import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A box for messages, whose key is in memory.
public struct MessageBox {
    private let key = SymmetricKey(size: .bits256)

    /// Creates a box with a key of its own.
    public init() {}

    /// Seals a message.
    public func seal(_ message: Data) throws -> Data { try ChaChaPoly.seal(message, using: key).combined }

    /// Opens a message.
    public func open(_ box: Data) throws -> Data { try ChaChaPoly.open(.init(combined: box), using: key) }
}
