internal import Glibc
package import HTTPWire
package import LinuxSystem

/// The port of one lent service: a proxy, or a port that answers itself.
///
/// A proxy reads plain HTTP/1.1 of a program that has no credential. For each request it asks a keeper, connects with the server, sends
/// the checked request with the credential in it, and passes the answer on without the credential.
///
///     let courier = try Courier(service, listener: socket, base: base, keeper: keeper) { try connect(to: server) }
///     courier.start()
///
/// The credential is in guarded memory only, and is wiped when the head of its request has left. The keys are in another process.
package final class Courier: Sendable {
    /// The origin of answers.
    enum Work: Sendable {
        case relay(Relay)
        /// The port answers. The name is that of the service.
        case answers(any PortAnswerer, name: String)
    }

    /// The most bytes of the body of a request that the port answers itself.
    package static let answeredBody: UInt64 = 64 * 1024

    let work: Work
    /// The clients that are served.
    let clients: ClientRules
    let limits: CourierLimits
    let requestRules: RequestRules
    let holders = Holders()
    private let door: Door

    /// Creates a courier, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - listener: A listening socket: TCP on loopback, or a Unix socket. The courier owns it from now on, and it stops blocking.
    ///   - base: The address at which programs reach the listener.
    ///   - keeper: Decides about each use, and has the credential.
    ///   - connect: Makes a connection to the server, whose identity it has verified.
    /// - Throws: ``SystemError`` if the process has no descriptors left.
    package convenience init(
        _ service: LentService, listener: Int32, base: WireOrigin, keeper: any LoanKeeper,
        connect: @escaping @Sendable () throws(UpstreamError) -> any UpstreamStream
    ) throws(SystemError) {
        try self.init(
            service, listener: listener, base: base, keeper: keeper, limits: CourierLimits(), connect: connect)
    }

    /// Creates a courier with other bounds.
    init(
        _ service: LentService, listener: Int32, base: WireOrigin, keeper: any LoanKeeper, limits: CourierLimits,
        connect: @escaping @Sendable () throws(UpstreamError) -> any UpstreamStream
    ) throws(SystemError) {
        (self.limits, clients) = (limits, service.clients)
        work = .relay(
            Relay(service, base: base, keeper: keeper, limits: limits, holders: holders, connect: connect))
        // Clients of a Unix socket name the server.
        var rules = Self.requestRules(at: base, or: [service.origin], of: listener)
        rules.bodyLimit = service.bodyLimit
        rules.allowsEncodedSlash = service.allowsEncodedSlash
        requestRules = rules
        door = try Door(listener, most: limits.connections, refusal: Refusal.tooMany.bytes(closing: true))
    }

    /// Creates a courier that answers every request itself, and does nothing before ``start()``.
    ///
    /// Requests satisfy the rules of a proxy, and Host names the port. ``cut()``, ``interrupt()`` and ``end()`` wipe answers that are
    /// under way.
    ///
    /// - Parameters:
    ///   - answerer: Has the answers.
    ///   - name: The name of the service.
    ///   - clients: The clients that are served.
    ///   - listener: A listening socket: TCP on loopback, or a Unix socket. The courier owns it from now on, and it stops blocking.
    ///   - base: The address at which programs reach the listener.
    /// - Throws: ``SystemError`` if the process has no descriptors left.
    package convenience init(
        answeredBy answerer: any PortAnswerer, name: String, to clients: ClientRules = ClientRules(), listener: Int32,
        base: WireOrigin
    ) throws(SystemError) {
        try self.init(
            answeredBy: answerer, name: name, to: clients, listener: listener, base: base, limits: CourierLimits())
    }

    /// Creates a courier that answers itself, with other bounds.
    init(
        answeredBy answerer: any PortAnswerer, name: String, to clients: ClientRules = ClientRules(), listener: Int32,
        base: WireOrigin, limits: CourierLimits
    ) throws(SystemError) {
        (self.limits, self.clients) = (limits, clients)
        work = .answers(answerer, name: name)
        var rules = Self.requestRules(at: base, of: listener)
        rules.bodyLimit = Self.answeredBody
        requestRules = rules
        door = try Door(listener, most: limits.connections, refusal: Refusal.tooMany.bytes(closing: true))
    }

    /// Returns the rules for requests. Host may name the courier, by its address or as `localhost`, and `others`. Clients of a Unix socket
    /// name no port.
    private static func requestRules(
        at base: WireOrigin, or others: [WireOrigin] = [], of listener: Int32
    ) -> RequestRules {
        var rules = RequestRules()
        var localhost = [WireOrigin(base.scheme, host: "localhost", port: base.port)]
        if listener.isUnixSocket { localhost.append(WireOrigin(.http, host: "localhost")) }
        rules.origins = [base] + others + localhost.compactMap { $0 }
        return rules
    }

    /// The connections to the server that are idle; nil if there is no server.
    private var pool: UpstreamPool? { if case .relay(let relay) = work { relay.pool } else { nil } }

    /// True after ``cut()``.
    var isCut: Bool { holders.isClosed }

    /// Begins to accept connections, on a thread of its own, and serves up to 32 of them, each on a thread.
    package func start() {
        door.open { [self] connection in connection.serve(for: self) }
    }

    /// Ends every connection and every running answer at once, from any thread, and wipes the credentials. Later uses are refused with
    /// status 403.
    ///
    /// When this returns, no credential leaves any more. It waits up to 50 milliseconds until the memory of all exchanges is wiped.
    package func cut() {
        holders.close()
        door.endConnections()
        pool?.close()
        holders.wait(upToMilliseconds: limits.cutMilliseconds)
    }

    /// Ends what is under way as ``cut()`` does, and goes on to serve what comes later: the keys were locked, and may be opened again.
    package func interrupt() {
        door.endConnections()
        pool?.empty()
        holders.wait(upToMilliseconds: limits.cutMilliseconds)
    }

    /// Cuts, and closes the listening socket. A courier that was started needs this to go away.
    package func end() {
        cut()
        door.shut()
    }
}

extension Int32 {
    /// True for the descriptor of a Unix socket.
    fileprivate var isUnixSocket: Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isNamed = withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(self, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) == 0
        }
        return isNamed && Int32(address.ss_family) == AF_UNIX
    }
}
