import Courier
import Foundation

/// A connection to a scripted server, without encryption.
final class PlainStream: UpstreamStream {
    private let socket: TestSocket

    init(port: UInt16) throws(UpstreamError) {
        guard let socket = try? TestSocket(port: port) else { throw UpstreamError(message: "nothing listens there") }
        self.socket = socket
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds limit: Int) throws(UpstreamError) -> Int {
        while true {
            let count = recv(socket.descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            try wait(POLLIN, limit)
        }
    }

    func write(_ bytes: RawSpan, withinMilliseconds limit: Int) throws(UpstreamError) {
        var place = 0
        while place < bytes.byteCount {
            let count = bytes.extracting(place..<bytes.byteCount).withUnsafeBytes {
                send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { place += count } else { try wait(POLLOUT, limit) }
        }
    }

    private func wait(_ event: Int32, _ limit: Int) throws(UpstreamError) {
        guard errno == EAGAIN else { throw UpstreamError(message: "the connection broke") }
        var waiting = pollfd(fd: socket.descriptor, events: Int16(event), revents: 0)
        guard poll(&waiting, 1, Int32(limit)) > 0 else { throw UpstreamError(message: "no byte came in time") }
    }

    func cut() { socket.end() }
    func close() { socket.close() }
}
