internal import HTTPWire
internal import SodiumKit

/// A head that was written into guarded memory.
struct GuardedHead: ~Copyable {
    private let storage: SecureBytes
    private let count: Int

    /// Creates the memory, and lets `write` fill it.
    init(
        capacity: Int, _ write: (inout OutputSpan<UInt8>) throws(WireRefusal) -> Void
    ) throws(ConnectionFault) {
        var storage = try guarding { () throws(SodiumError) in try SecureBytes(count: capacity) }
        var count = 0
        do throws(WireRefusal) {
            try storage.withMutableBytes { (room) throws(WireRefusal) in
                let room = room.assumingMemoryBound(to: UInt8.self)
                var output = OutputSpan<UInt8>(buffer: room, initializedCount: 0)
                try write(&output)
                count = output.finalize(for: room)
            }
        } catch { throw .refused(Refusal(error)) }
        self.storage = storage
        self.count = count
    }

    /// Lends the bytes to `body`.
    borrowing func withBytes<Result: ~Copyable>(
        _ body: (RawSpan) throws(ConnectionFault) -> Result
    ) throws(ConnectionFault) -> Result {
        let count = count
        return try storage.withBytes { (bytes) throws(ConnectionFault) in try body(bytes.extracting(first: count)) }
    }
}
