internal import HTTPWire
internal import LinuxSystem
internal import Synchronization

/// The connection of a client. A thread serves it, and other threads end it.
final class Connection: Sendable {
    private struct State: Sendable {
        /// True once the client has left, or a cut has come.
        var hasEnded = false
        /// The connection to the server that is in use.
        var upstream: (any UpstreamStream)?
    }

    let socket: ClientSocket
    private let state = Mutex(State())
    /// The credential between its arrival and the writing of the head, so that another thread can wipe it.
    let credential = Carrier<LentCredential>()

    init(_ socket: ClientSocket) { self.socket = socket }

    /// True once the client has left, or a cut has come.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends everything that is under way here, from any thread.
    ///
    /// The caller makes sure that the socket is still open.
    func end() {
        socket.end()
        state.withLock { state in
            state.hasEnded = true
            state.upstream?.cut()
        }
        _ = credential.take()
    }

    /// Notes the connection to the server, so that ``end()`` cuts it. Returns false if the end has come already.
    func attach(_ stream: any UpstreamStream) -> Bool {
        state.withLock { state in
            if state.hasEnded { return false }
            state.upstream = stream
            return true
        }
    }

    /// Forgets the connection to the server. Nothing here cuts it any more.
    func detach() { state.withLock { $0.upstream = nil } }

    /// Sends a part of an answer.
    func send(_ bytes: RawSpan, _ limits: CourierLimits) throws(ConnectionFault) {
        do throws(ClientFault) {
            try socket.write(bytes, withinMilliseconds: limits.idleMilliseconds)
        } catch { throw .clientGone }
    }

    /// Serves the requests of the client, one after the other.
    func serve(for courier: Courier) {
        let program: String?
        do throws(LoanRefusal) { program = try courier.clients.admit(socket.descriptor) } catch {
            return refuse(Refusal(error), courier.limits)
        }
        var input = ClientInput(socket, idleMilliseconds: courier.limits.idleMilliseconds)
        do throws(ConnectionFault) {
            while let head = try input.readHead() {
                guard try serve(head, of: program, &input, courier) else { return }
            }
        } catch {
            guard let refusal = error.refusal, !hasEnded else { return }
            refuse(refusal, courier.limits)
        }
    }

    /// Sends a refusal, which is the last answer of the connection.
    private func refuse(_ refusal: Refusal, _ limits: CourierLimits) {
        try? socket.write(refusal.bytes(closing: true).span.bytes, withinMilliseconds: limits.lingerMilliseconds)
        socket.linger(upToMilliseconds: limits.lingerMilliseconds)
    }

    /// Answers a request. Returns true if the client may send another one.
    private func serve(
        _ head: RequestHead, of program: String?, _ input: inout ClientInput, _ courier: Courier
    ) throws(ConnectionFault) -> Bool {
        let checked = try input.withBytes { (bytes) throws(ConnectionFault) in
            let checked = try checking { () throws(WireRefusal) in try courier.requestRules.check(head, in: bytes) }
            if let token = courier.clients.token,
                !checked.credentials.contains(where: { token.isIn(bytes.extracting($0.value)) })
            {
                throw .refused(.noToken)
            }
            return checked
        }
        let facts = try input.withBytes { (bytes) throws(ConnectionFault) in
            RequestFacts(checked, in: bytes, withFields: courier.work.readsFields)
        }
        let asJSON = try input.withBytes { (bytes) throws(ConnectionFault) in checked.wantsJSON(in: bytes) }
        switch courier.work {
        case .relay(let relay): return try serve(checked, facts, by: program, asJSON: asJSON, &input, relay)
        case .answers(let answerer, let name):
            do throws(ConnectionFault) {
                try PortExchange(checked, facts, of: self, for: courier).run(answerer, name, &input)
                return !checked.closes
            } catch { return try refuse(checked, after: error, asJSON: asJSON, courier.limits) }
        }
    }

    /// Passes a request on. Returns true if the client may send another one.
    private func serve(
        _ checked: CheckedRequest, _ facts: RequestFacts, by program: String?, asJSON: Bool, _ input: inout ClientInput,
        _ relay: Relay
    ) throws(ConnectionFault) -> Bool {
        var exchange = Exchange(checked, facts, by: program, of: self, for: relay)
        do throws(ConnectionFault) {
            switch try exchange.run(&input) {
            case .request: return true
            case .end: return false
            case .endOfBody:
                socket.linger(upToMilliseconds: relay.limits.lingerMilliseconds)
                return false
            }
        } catch {
            guard let refusal = error.refusal, !exchange.hasAnswered, !hasEnded else { return false }
            if try exchange.explain(refusal, &input) { return !checked.closes }
            return try refuse(checked, after: error, asJSON: asJSON, relay.limits)
        }
    }

    /// Sends the refusal of a request that got no part of an answer. Returns true if the client may send another request.
    private func refuse(
        _ request: CheckedRequest, after fault: ConnectionFault, asJSON: Bool, _ limits: CourierLimits
    ) throws(ConnectionFault) -> Bool {
        guard let refusal = fault.refusal, !hasEnded else { return false }
        let closes = request.closes || request.hasBody
        let answer = refusal.bytes(closing: closes, isHead: request.head.isHead, asJSON: asJSON)
        guard (try? socket.write(answer.span.bytes, withinMilliseconds: limits.idleMilliseconds)) != nil else {
            return false
        }
        if closes { socket.linger(upToMilliseconds: limits.lingerMilliseconds) }
        return !closes
    }
}

extension Courier.Work {
    /// True if the fields of a request are read.
    fileprivate var readsFields: Bool {
        switch self {
        case .relay(let relay): relay.service.reader != nil
        case .answers: true
        }
    }
}

extension CheckedRequest {
    /// True if a body follows.
    var hasBody: Bool { framing != .none && framing != .length(0) }

    /// Returns true if the client names JSON among the types that it takes.
    fileprivate func wantsJSON(in bytes: RawSpan) -> Bool {
        func text(_ range: Range<Int>) -> String {
            bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.lowercased()
        }
        return fields.contains { text($0.name) == "accept" && text($0.value).contains("application/json") }
    }
}

extension RequestFacts {
    /// Reads the head of a request.
    fileprivate init(_ request: CheckedRequest, in bytes: RawSpan, withFields: Bool) {
        func text(_ range: Range<Int>) -> String {
            bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        self.init(
            method: text(request.head.method), path: text(request.head.path), query: request.head.query.map { text($0) }
        )
        guard withFields else { return }
        for field in request.fields {
            // Some servers take an underscore for a hyphen.
            let name = String(text(field.name).lowercased().map { $0 == "_" ? "-" : $0 })
            // Two fields of a name are one list.
            fields[name] = fields[name].map { "\($0), \(text(field.value))" } ?? text(field.value)
        }
    }
}
