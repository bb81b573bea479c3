internal import LinuxSystem

/// Connects to hosts by TLS 1.2 or 1.3, and leaves no copy in memory of what is sent and received.
///
///     let client = try TLSClient(trusting: .system)
///     let connection = try client.connect(to: "api.example.com", port: 443, addresses: .publicOnly, withinMilliseconds: 10_000)
///     try connection.write(request, withinMilliseconds: 10_000)
///
/// It neither keeps sessions nor has a certificate of its own, and asks no one whether a certificate was revoked.
package final class TLSClient: Sendable {
    private let context: TLSContext

    /// Creates a client that trusts these authorities, which it reads now.
    ///
    /// - Throws: ``TLSError/noTrustAnchors(path:)`` if the file has none.
    package init(trusting anchors: TrustAnchors) throws(TLSError) { context = try .trusting(anchors) }

    /// Connects to a host, and returns once its certificate is verified. Nothing of yours is sent before.
    ///
    /// - Parameters:
    ///   - host: A name, or an address with or without brackets. The certificate has to be for it.
    ///   - port: The port.
    ///   - addresses: The addresses that the name may stand for. Others are never connected to.
    ///   - milliseconds: The time for all of it.
    package func connect(
        to host: String, port: UInt16, addresses limit: AddressLimit, withinMilliseconds milliseconds: Int
    ) throws(TLSError) -> TLSConnection {
        let deadline = Deadline(Int32(clamping: milliseconds))
        guard let name = Host(host) else { throw .nameNotFound(host: host, reason: "it is not a name of a host") }
        let socket = try Dialer.connect(to: name, called: host, port: port, addresses: limit, until: deadline)
        let session = try TLSSession.prepare(for: name, over: socket, context)
        while case .waits(let event) = try session.shakeHands() {
            try Socket.wait(for: session.socket.descriptor, event, until: deadline)
        }
        return TLSConnection(session)
    }
}
