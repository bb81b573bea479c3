internal import Glibc
internal import LinuxSystem

/// A fault of a client's connection.
enum ClientFault: Error {
    /// No byte came, or left, in time.
    case tooSlow
    /// The connection has ended.
    case gone
}

/// The socket of a client. It does not block.
struct ClientSocket: Sendable {
    let descriptor: Int32

    /// Prepares an accepted socket.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // Each part of an answer leaves at once. A Unix socket has no such option, and needs none.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads what has come, and waits for the first byte. Returns zero if the client has ended its side.
    func read(into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds limit: Int) throws(ClientFault) -> Int {
        let deadline = Deadline(Int32(clamping: limit))
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            try wait(POLLIN, deadline)
        }
    }

    /// Writes all bytes.
    func write(_ bytes: RawSpan, withinMilliseconds limit: Int) throws(ClientFault) {
        var place = 0
        var deadline = Deadline(Int32(clamping: limit))
        while place < bytes.byteCount {
            let count = bytes.extracting(place..<bytes.byteCount).withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                place += count
                deadline = Deadline(Int32(clamping: limit))
            } else {
                try wait(POLLOUT, deadline)
            }
        }
    }

    /// Waits after a call that failed, until it may be tried again.
    private func wait(_ event: Int32, _ deadline: Deadline) throws(ClientFault) {
        switch errno {
        case EINTR: return
        case EAGAIN: break
        default: throw .gone
        }
        var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        if poll(&waiting, 1, deadline.left) == 0 { throw .tooSlow }
    }

    /// Ends both directions, from any thread. A thread that waits for the socket continues.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the sending direction, and reads until the client ends its own.
    func linger(upToMilliseconds limit: Int) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
        let deadline = Deadline(Int32(clamping: limit))
        var rest = 4 << 20
        var room = [UInt8](repeating: 0, count: 16 * 1024)
        while rest > 0, deadline.left > 1 {
            let count = room.withUnsafeMutableBytes { room in
                (try? read(into: room, withinMilliseconds: Int(deadline.left))) ?? 0
            }
            if count == 0 { return }
            rest -= count
        }
    }
}
