internal import LinuxSystem

/// Sockets to hosts, for protocols that bring their own security.
package enum PlainSocket {
    /// Returns the descriptor of a socket that is connected to a host and does not block. The caller has to close it.
    ///
    /// - Parameters:
    ///   - host: A name, or an address with or without brackets.
    ///   - port: The port.
    ///   - limit: The addresses that the name may stand for. Others are never connected to.
    ///   - milliseconds: The time for all of it.
    package static func connect(
        to host: String, port: UInt16, addresses limit: AddressLimit, withinMilliseconds milliseconds: Int
    ) throws(TLSError) -> Int32 {
        guard let name = Host(host) else { throw .nameNotFound(host: host, reason: "it is not a name of a host") }
        let deadline = Deadline(Int32(clamping: milliseconds))
        return try Dialer.connect(to: name, called: host, port: port, addresses: limit, until: deadline).release()
    }
}
