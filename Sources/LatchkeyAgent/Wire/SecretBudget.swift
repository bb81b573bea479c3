internal import SodiumKit
internal import Synchronization

/// How many bytes of secrets and lists all clients together may have with the agent, so that no client fills the memory.
///
/// A part counts from when it is announced until what was asked with it is answered, or from when it is there until it is sent.
/// Parts up to ``WireLimits/typed`` bytes lie in locked memory, of which a process may have little: those that are larger share
/// another room.
final class SecretBudget: Sendable {
    private let locked: Room
    private let large: Room

    /// Half of the memory that the process may lock is for what clients send and get. The other half stays for the keys, for
    /// what is decrypted and for what has to be written.
    init(lockable: Int = LockedMemory.capacity, large: Int) {
        locked = Room(lockable / 2)
        self.large = Room(large)
    }

    /// Room for so many bytes, of which each part takes a share.
    fileprivate final class Room: Sendable {
        let size: Int
        private let left: Atomic<Int>

        init(_ size: Int) {
            self.size = size
            left = Atomic(size)
        }

        /// Takes so many bytes, unless that leaves fewer than `rest`.
        func reserve(_ bytes: Int, leaving rest: Int) -> Bool {
            if left.subtract(bytes, ordering: .relaxed).newValue >= rest { return true }
            give(bytes)
            return false
        }

        func give(_ bytes: Int) { left.add(bytes, ordering: .relaxed) }
    }

    /// The share of one part. It is given back with the last reference.
    final class Share: Sendable {
        private let room: Room
        private let bytes: Int

        fileprivate init(_ room: Room, _ bytes: Int) {
            self.room = room
            self.bytes = bytes
        }

        deinit { room.give(bytes) }
    }

    /// What is typed at a prompt is rarely longer. A quarter of the locked memory is left to parts up to this length, so that
    /// long secrets keep nobody from unlocking a vault.
    private static let short = 4096

    /// Room for so many bytes; nil for none.
    func share(of bytes: Int) throws(WireError) -> Share? {
        if bytes == 0 { return nil }
        if bytes > WireLimits.typed { return try share(of: bytes, in: large, leaving: 0) }
        let size = SecureBytes.lockedSize(of: bytes)
        return try share(of: size, in: locked, leaving: bytes <= Self.short ? 0 : locked.size / 4)
    }

    /// Room for so many bytes of a list, which is no secret; nil for a short one, which needs none.
    func share(ofList bytes: Int) throws(WireError) -> Share? {
        if bytes <= WireLimits.typed { return nil }
        return try share(of: bytes, in: large, leaving: 0)
    }

    private func share(of bytes: Int, in room: Room, leaving rest: Int) throws(WireError) -> Share {
        if bytes > room.size - rest { throw .neverRoom }
        guard room.reserve(bytes, leaving: rest) else { throw .noRoom }
        return Share(room, bytes)
    }
}
