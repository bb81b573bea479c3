internal import Synchronization

/// The memory for secrets on their way to the store, which all programs share.
final class SecretRoom: Sendable {
    private let left: Atomic<Int>

    /// Creates a room of so many bytes.
    init(_ bytes: Int) { left = Atomic(bytes) }

    /// Takes a share; returns nil if there is no room.
    func share(of bytes: Int) -> Share? {
        if left.subtract(bytes, ordering: .relaxed).newValue >= 0 { return Share(self, bytes) }
        give(bytes)
        return nil
    }

    private func give(_ bytes: Int) { left.add(bytes, ordering: .relaxed) }

    /// The share of one secret. Its bytes return to the room with the last reference.
    final class Share: Sendable {
        private let room: SecretRoom
        private let bytes: Int

        fileprivate init(_ room: SecretRoom, _ bytes: Int) { (self.room, self.bytes) = (room, bytes) }

        deinit { room.give(bytes) }
    }
}
