/// An open connection to the server of a service. The courier reads and writes it from one thread at a time.
package protocol UpstreamStream: AnyObject, Sendable {
    /// Reads what has come, and waits for the first byte if nothing has. Zero bytes mean that the server ended the stream properly.
    ///
    /// If no byte comes in time, this throws, and the stream can still be read. A time of zero asks only for what is here already.
    func read(into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds: Int) throws(UpstreamError) -> Int
    /// Writes all bytes.
    func write(_ bytes: RawSpan, withinMilliseconds: Int) throws(UpstreamError)
    /// Ends the stream at once, from any thread. A read or write that waits throws, and every later one does.
    func cut()
    /// Frees the stream. The courier calls this once, last.
    func close()
}

/// An error of a connection to a server. The client may read its message.
package struct UpstreamError: Error, Hashable, Sendable {
    /// A part of a sentence: the reason.
    package var message: String

    /// Creates an error.
    package init(message: String) { self.message = message }
}
