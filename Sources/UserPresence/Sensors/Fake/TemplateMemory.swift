internal import Synchronization

/// A place where a fake sensor stores its enrolled set, such as a vault. No other sensor can read it.
public protocol TemplateMemory: Sendable {
    /// Returns the stored bytes; none if nothing was stored yet.
    func load() throws -> [UInt8]
    /// Replaces the stored bytes with what `body` makes of them, and returns the result. No other change can happen
    /// meanwhile, and `body` must not use the memory.
    func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8]
}

/// A memory that lasts as long as the process.
public final class ProcessMemory: TemplateMemory {
    private let bytes: Mutex<[UInt8]>

    /// Creates a memory that holds `bytes`.
    public init(_ bytes: [UInt8] = []) { self.bytes = Mutex(bytes) }

    /// Returns the stored bytes.
    public func load() -> [UInt8] { bytes.withLock { $0 } }

    /// Stores `bytes`.
    public func store(_ bytes: [UInt8]) { self.bytes.withLock { $0 = bytes } }

    /// Replaces the stored bytes with what `body` makes of them, and returns the result.
    public func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        try bytes.withLock { bytes in
            bytes = try body(bytes)
            return bytes
        }
    }
}
