internal import LinuxSystem
internal import PlainText
internal import Synchronization

/// A stream of server-sent events to one client.
package final class EventStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
    }

    /// The most bytes that wait for a slow client. One that falls further behind is cut off; it connects again and gets
    /// everything anew.
    private static let capacity = 16 << 20
    /// The time after which a silent stream sends a comment, so that the server notices clients that are gone.
    private static let pause = 15_000

    private let state = Mutex(State())
    private let signal = Signal()

    package init() {}

    /// True if no more events can be sent.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends an event. `text` is one line.
    package func send(_ name: String, _ text: String) {
        state.withLock { state in
            if state.isClosed { return }
            state.waiting += "event: \(name)\ndata: \(text)\n\n".utf8
            if state.waiting.count > Self.capacity { state.isClosed = true }
        }
        signal.give()
    }

    /// Ends the stream once everything that waits is sent.
    package func close() {
        state.withLock { $0.isClosed = true }
        signal.give()
    }

    /// Waits for bytes to send, and moves them into `buffer`. Returns their number; nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count: Int? = state.withLock { state in
                if state.waiting.isEmpty { return state.isClosed ? nil : 0 }
                let part = state.waiting.prefix(buffer.count)
                buffer.copyBytes(from: part)
                state.waiting.removeFirst(part.count)
                return part.count
            }
            guard let count else { return nil }
            if count > 0 { return count }
            if !signal.wait(upTo: Self.pause) {
                let comment = Array(": \n\n".utf8)
                buffer.copyBytes(from: comment)
                return comment.count
            }
        }
    }
}
