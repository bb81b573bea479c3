internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The system's resolver of names, which takes the time that it likes.
enum Resolver {
    private enum Answer: Sendable {
        case addresses([NetworkAddress])
        case failure(code: Int32)
    }

    /// Returns the addresses of a name, the best first.
    ///
    /// The resolver cannot be stopped, so it runs on a thread of its own, which ends later if the time is over.
    static func addresses(of name: String, until deadline: Deadline) throws(TLSError) -> [NetworkAddress] {
        let answer = Carrier<Answer>()
        let arrived = Signal()
        let isStarted = Supervisor.detach {
            answer.fill(ask(name))
            arrived.give()
        }
        guard isStarted else { throw .system(SystemError(EAGAIN)) }
        guard arrived.wait(upTo: Int(deadline.left)) else { throw .timedOut }
        switch answer.take() {
        case .addresses(let addresses): return addresses
        case .failure(let code):
            throw .nameNotFound(host: name, reason: gai_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        case nil: throw .unavailable
        }
    }

    private static func ask(_ name: String) -> Answer {
        var wanted = addrinfo()
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &wanted, &list)
        guard code == 0 else { return .failure(code: code) }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap({ NetworkAddress($0) }), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(code: EAI_NONAME) : .addresses(addresses)
    }
}
