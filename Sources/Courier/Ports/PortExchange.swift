internal import HTTPWire
internal import SodiumKit

/// One request that is answered at the port, from its checked head to the end of its answer.
struct PortExchange {
    private let request: CheckedRequest
    private let facts: RequestFacts
    private let connection: Connection
    private let courier: Courier

    init(_ request: CheckedRequest, _ facts: RequestFacts, of connection: Connection, for courier: Courier) {
        (self.request, self.facts, self.connection, self.courier) = (request, facts, connection, courier)
    }

    /// Reads the body, asks for the answer and sends it.
    func run(_ answerer: any PortAnswerer, _ name: String, _ input: inout ClientInput) throws(ConnectionFault) {
        var body = RequestBody(request, limit: courier.requestRules.bodyLimit)
        while !body.isWhole { try body.readBeginning(&input, connection, courier.limits) }
        if courier.isCut { throw .refused(.ended(name)) }
        let answer = answerer.answer(facts, body: body.beginning.span.bytes)
        let unsent = answer.unsent
        var hasBegun = false
        do throws(ConnectionFault) { try deliver(answer, name, &hasBegun) } catch {
            // The answer is wiped already. Giving a use back may wait for a prompt of another one.
            if !hasBegun { unsent?() }
            throw error
        }
    }

    /// Sends the answer, unless a cut has come meanwhile. A cut waits until its memory is wiped.
    private func deliver(
        _ answer: consuming PortAnswer, _ name: String, _ hasBegun: inout Bool
    ) throws(ConnectionFault) {
        guard courier.holders.enter() else { throw .refused(.ended(name)) }
        defer { courier.holders.leave() }
        try send(answer, &hasBegun)
    }

    /// Sends the answer, unless the client has left. Sets `hasBegun` before the first byte of the body.
    private func send(_ answer: consuming PortAnswer, _ hasBegun: inout Bool) throws(ConnectionFault) {
        if connection.hasEnded { throw .clientGone }
        try connection.send(answer.head(closing: request.closes).span.bytes, courier.limits)
        if request.head.isHead { return }
        hasBegun = true
        switch answer.body {
        case .plain(let bytes): try connection.send(bytes.span.bytes, courier.limits)
        case .guarded(let bytes):
            try bytes.withBytes { (bytes) throws(ConnectionFault) in try connection.send(bytes, courier.limits) }
        }
    }
}
