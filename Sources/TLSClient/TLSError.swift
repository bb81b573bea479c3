package import LinuxSystem

/// An error of a connection. None has a byte of what was sent or received.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The host has no address. `reason` is in the words of the system.
    case nameNotFound(host: String, reason: String)
    /// Every address of the host is one that ``AddressLimit`` refuses.
    case addressNotPermitted(host: String)
    /// The host refused the connection, or no way leads to it.
    case unreachable(host: String, SystemError)
    /// The time that the caller gave is over.
    case timedOut
    /// The certificate is not one of this host. `reason` is in the words of OpenSSL.
    case certificate(reason: String)
    /// The host broke the protocol, or permits nothing that this side permits. `reason` is in the words of OpenSSL.
    case protocolFailure(reason: String)
    /// The host ended the connection without saying so in the protocol: what has come may be cut off.
    case endedEarly
    /// This side has cut or closed the connection.
    case cut
    /// The file has no certificates that OpenSSL can read.
    case noTrustAnchors(path: String)
    /// OpenSSL could not start, or has no memory left.
    case unavailable
    /// A call of the system failed.
    case system(SystemError)

    /// The reason for the error, and what to do.
    package var description: String {
        switch self {
        case .nameNotFound(let host, let reason):
            "There is no address for \(host): \(reason). Check the name and the network."
        case .addressNotPermitted(let host):
            """
            \(host) has only addresses of this machine or of a private network, and only public ones are permitted. \
            Check the name, or permit any address for this host.
            """
        case .unreachable(let host, let error): "\(host) cannot be reached: \(error). Check the port and the network."
        case .timedOut: "The host did not answer in time. Try again later."
        case .certificate(let reason):
            """
            The certificate is not valid for this host: \(reason). Nothing was sent. Check the name, and look at the \
            certificate with `openssl s_client -connect HOST:PORT`.
            """
        case .protocolFailure(let reason):
            "The host does not speak TLS as it must: \(reason). It needs TLS 1.2 or newer, and HTTP/1.1."
        case .endedEarly: "The host ended the connection early. What it sent may be incomplete: try again."
        case .cut: "The connection was ended on this side. Connect again."
        case .noTrustAnchors(let path):
            "There are no certificates of authorities in \(path). Check the file, or install ca-certificates."
        case .unavailable: "OpenSSL could not start. Check that the package libssl3 is complete and memory is left."
        case .system(let error): "The system refused the connection: \(error). Check the limits of this process."
        }
    }
}
