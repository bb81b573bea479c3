package import HTTPWire
package import LinuxSystem

/// The proxy of one lent service.
///
/// It reads plain HTTP/1.1 of a program that has no credential. For each request it asks a keeper, connects with the server, sends what
/// it has checked with the credential in it, and passes the answer on with the credential taken out.
///
///     let courier = try Courier(service, listener: socket, base: base, keeper: keeper) { try connect(to: server) }
///     courier.start()
///
/// The credential is in guarded memory only, and is wiped when the head of its request has left. The keys are in another process.
package final class Courier: Sendable {
    let service: LentService
    let base: WireOrigin
    let keeper: any LoanKeeper
    let connect: @Sendable () throws(UpstreamError) -> any UpstreamStream
    let limits: CourierLimits
    let requestRules: RequestRules
    let responseRules: ResponseRules
    let pool: UpstreamPool
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
        self.service = service
        self.base = base
        self.keeper = keeper
        self.limits = limits
        self.connect = connect
        requestRules = Self.requestRules(for: service, at: base)
        var responseRules = ResponseRules(from: service.origin, toClientsAt: base)
        responseRules.passesRedirects = service.passesRedirects
        responseRules.bodyLimit = service.bodyLimit
        self.responseRules = responseRules
        pool = UpstreamPool(idleMilliseconds: limits.idleMilliseconds)
        door = try Door(listener, most: limits.connections)
    }

    /// Returns the rules for requests. Host may name the courier, by its address or as `localhost`, and the server, as clients of a Unix
    /// socket do.
    private static func requestRules(for service: LentService, at base: WireOrigin) -> RequestRules {
        var rules = RequestRules()
        let localhost = WireOrigin(base.scheme, host: "localhost", port: base.port)
        rules.origins = [base, service.origin] + (localhost.map { [$0] } ?? [])
        rules.bodyLimit = service.bodyLimit
        rules.allowsEncodedSlash = service.allowsEncodedSlash
        return rules
    }

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
        pool.close()
        holders.wait(upToMilliseconds: limits.cutMilliseconds)
    }

    /// Ends what is under way as ``cut()`` does, and goes on to serve what comes later: the keys were locked, and may be opened again.
    package func interrupt() {
        door.endConnections()
        pool.empty()
        holders.wait(upToMilliseconds: limits.cutMilliseconds)
    }

    /// Cuts, and closes the listening socket. A courier that was started needs this to go away.
    package func end() {
        cut()
        door.shut()
    }
}
