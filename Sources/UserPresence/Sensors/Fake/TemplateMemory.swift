internal import Synchronization

/// Where a fake sensor keeps whom it knows: bytes that only it can read, such as a vault can keep for it.
public protocol TemplateMemory: Sendable {
    /// What was stored last; nothing when nothing was.
    func load() throws -> [UInt8]
    /// Keeps `bytes` instead of what was stored before.
    func store(_ bytes: [UInt8]) throws
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
}
