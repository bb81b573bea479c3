internal import SodiumKit
internal import Synchronization

/// The memory that all clients together may use for secrets and lists, so that no client fills it.
///
/// A part counts from its announcement until its request is answered or, in the other direction, from its creation
/// until it is sent. Parts up to ``WireLimits/typed`` bytes lie in locked memory, of which a process may have little.
/// Larger ones share another budget.
package final class SecretBudget: Sendable {
    private let locked: Room
    private let large: Room

    /// Half of the memory that the process may lock is for what clients send and receive. The rest is for keys, for
    /// decrypted secrets and for data to be written.
    package init(lockable: Int = LockedMemory.capacity, large: Int) {
        locked = Room(lockable / 2)
        self.large = Room(large)
    }

    /// A number of bytes, of which each part takes a share.
    fileprivate final class Room: Sendable {
        let size: Int
        private let left: Atomic<Int>

        init(_ size: Int) {
            self.size = size
            left = Atomic(size)
        }

        /// Takes `bytes`, unless that leaves fewer than `rest`.
        func reserve(_ bytes: Int, leaving rest: Int) -> Bool {
            if left.subtract(bytes, ordering: .relaxed).newValue >= rest { return true }
            give(bytes)
            return false
        }

        func give(_ bytes: Int) { left.add(bytes, ordering: .relaxed) }
    }

    /// The share of one part. It returns to the budget with its last reference.
    package final class Share: Sendable {
        private let room: Room
        private let bytes: Int

        fileprivate init(_ room: Room, _ bytes: Int) {
            self.room = room
            self.bytes = bytes
        }

        deinit { room.give(bytes) }
    }

    /// The length that is rarely exceeded by what is typed at a prompt. A quarter of the locked memory is reserved for
    /// parts up to this length, so that long secrets cannot keep a user from unlocking the vault.
    private static let short = 4096

    /// Takes a share for a secret part; returns nil if it is empty. Throws if there is no room.
    ///
    /// - Parameter isOfDesktop: True for a secret that a program of the desktop sends. What is reserved for typing is not for
    ///   those, and neither is a quarter of the large room.
    package func share(of bytes: Int, isOfDesktop: Bool = false) throws(WireError) -> Share? {
        if bytes == 0 { return nil }
        if bytes > WireLimits.typed {
            return try share(of: bytes, in: large, leaving: isOfDesktop ? large.size / 4 : 0)
        }
        let size = SecureBytes.lockedSize(of: bytes)
        let isTyped = bytes <= Self.short && !isOfDesktop
        return try share(of: size, in: locked, leaving: isTyped ? 0 : locked.size / 4)
    }

    /// Takes a share for a part of a list, which is no secret; returns nil if it is short.
    package func share(ofList bytes: Int) throws(WireError) -> Share? {
        if bytes <= WireLimits.typed { return nil }
        return try share(of: bytes, in: large, leaving: 0)
    }

    private func share(of bytes: Int, in room: Room, leaving rest: Int) throws(WireError) -> Share {
        if bytes > room.size - rest { throw .neverRoom }
        guard room.reserve(bytes, leaving: rest) else { throw .noRoom }
        return Share(room, bytes)
    }
}
