internal import Synchronization

/// Where a fake sensor keeps whom it knows: bytes that only it can read, such as a vault can keep for it.
public protocol TemplateMemory: Sendable {
    /// What was stored last; nothing when nothing was.
    func load() throws -> [UInt8]
    /// Keeps what `body` makes of what was stored last, while nobody else can store anything, and gives it back. `body` must
    /// not use the memory.
    func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8]
}

/// A memory that lasts as long as the process.
public final class ProcessMemory: TemplateMemory {
    private let bytes: Mutex<[UInt8]>

    /// A memory with this in it, or nothing.
    public init(_ bytes: [UInt8] = []) { self.bytes = Mutex(bytes) }

    /// What was stored last.
    public func load() -> [UInt8] { bytes.withLock { $0 } }

    /// Keeps `bytes`.
    public func store(_ bytes: [UInt8]) { self.bytes.withLock { $0 = bytes } }

    /// Keeps what `body` makes of it.
    public func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        try bytes.withLock { bytes in
            bytes = try body(bytes)
            return bytes
        }
    }
}
