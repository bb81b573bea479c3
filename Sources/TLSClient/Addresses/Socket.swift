internal import Glibc
internal import LinuxSystem

/// A connected socket, whose reads and writes never block.
struct Socket: ~Copyable, Sendable {
    let descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // A request goes out at once, in place of waiting for the answer to the one before.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Returns the descriptor, which the caller closes from now on.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Wakes every thread that waits for the socket. Nothing can be read or written from now on.
    borrowing func wake() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Has the system throw away what it has not sent yet when the socket is closed.
    borrowing func dropUnsent() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits until the socket is ready for one of these events of `poll`, or this much of the time is over.
    ///
    /// - Throws: ``TLSError/timedOut`` if no time is left.
    static func wait(
        for descriptor: Int32, _ events: Int32, until deadline: Deadline, atMost milliseconds: Int32 = .max
    ) throws(TLSError) {
        let left = deadline.left
        guard left > 0 else { throw .timedOut }
        var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        if poll(&waiting, 1, min(left, milliseconds)) < 0 && errno != EINTR { throw .system(.last) }
    }
}
