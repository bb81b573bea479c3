package import LinuxSystem

/// Serves the connections to one listening socket with any protocol, each on a thread of its own.
///
///     let server = try StreamServer(listener: socket) { client in client.pass(to: host) }
///     server.start()
package final class StreamServer: Sendable {
    private let door: Door
    private let serve: @Sendable (StreamClient) -> Void

    /// The most connections that are served at a time.
    private static let most = 32

    /// Creates a server, which does nothing before ``start()``. It owns the listening socket from now on.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptors left.
    package init(
        listener: Int32, _ serve: @escaping @Sendable (StreamClient) -> Void
    ) throws(SystemError) {
        self.serve = serve
        door = try Door(listener, most: Self.most, refusal: [])
    }

    /// Begins to accept connections, on a thread of its own.
    package func start() {
        door.open { [serve] connection in serve(StreamClient(connection)) }
    }

    /// Ends every connection at once, from any thread. New ones may come.
    package func interrupt() { door.endConnections() }

    /// Ends every connection, and closes the listening socket.
    package func end() {
        interrupt()
        door.shut()
    }
}
