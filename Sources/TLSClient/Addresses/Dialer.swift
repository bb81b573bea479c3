internal import Glibc
internal import LinuxSystem

/// Connects to the first of several addresses that answers.
enum Dialer {
    /// The milliseconds after which the next address is tried too, so that one that is silent costs little.
    private static let pause: Int32 = 250

    /// Returns a socket that is connected to one of the addresses of a host that the limit permits.
    static func connect(
        to host: Host, called text: String, port: UInt16, addresses limit: AddressLimit, until deadline: Deadline
    ) throws(TLSError) -> Socket {
        let found =
            switch host {
            case .name(let name): try Resolver.addresses(of: name, until: deadline)
            case .address(let address): [address]
            }
        let permitted = found.filter(limit.permits)
        if permitted.isEmpty { throw .addressNotPermitted(host: text) }
        return try connect(to: permitted, of: text, port: port, until: deadline)
    }

    /// Returns a connected socket. The addresses are those of one host.
    private static func connect(
        to addresses: [NetworkAddress], of host: String, port: UInt16, until deadline: Deadline
    ) throws(TLSError) -> Socket {
        var tried: [pollfd] = []
        defer { for socket in tried { close(socket.fd) } }
        var rest = addresses[...]
        var refusal = SystemError(EHOSTUNREACH)
        while true {
            if let address = rest.popFirst() {
                switch begin(address, port) {
                case .success(let socket): tried.append(pollfd(fd: socket, events: Int16(POLLOUT), revents: 0))
                case .failure(let error): refusal = error
                }
            }
            if tried.isEmpty {
                if rest.isEmpty { throw .unreachable(host: host, refusal) }
                continue
            }
            guard deadline.left > 0 else { throw .timedOut }
            let time = rest.isEmpty ? deadline.left : min(pause, deadline.left)
            guard poll(&tried, nfds_t(tried.count), time) > 0, let place = tried.firstIndex(where: { $0.revents != 0 })
            else { continue }
            let socket = tried.remove(at: place).fd
            guard let error = failure(of: socket) else { return Socket(socket) }
            close(socket)
            refusal = error
        }
    }

    /// Begins to connect, and does not wait.
    private static func begin(_ address: NetworkAddress, _ port: UInt16) -> Result<Int32, SystemError> {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let socket = Glibc.socket(address.family, Int32(kind), Int32(IPPROTO_TCP))
        guard socket >= 0 else { return .failure(.last) }
        let code = address.withSystemAddress(port: port) { Glibc.connect(socket, $0, $1) }
        guard code == 0 || errno == EINPROGRESS || errno == EINTR else {
            let error = SystemError.last
            close(socket)
            return .failure(error)
        }
        return .success(socket)
    }

    /// Returns the error with which connecting ended; nil if the socket is connected.
    private static func failure(of socket: Int32) -> SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return .last }
        return code == 0 ? nil : SystemError(code)
    }
}
