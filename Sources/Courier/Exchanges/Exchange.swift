internal import HTTPWire
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit

/// One request, from its checked head to the end of its answer.
struct Exchange: ~Copyable {
    private let request: CheckedRequest
    private let facts: RequestFacts
    private let program: String?
    private var use: LoanUse
    private var body: RequestBody
    /// Writes a refusal in the words of the client.
    private var refusalWriter: RefusalWriter?
    private let connection: Connection
    private let relay: Relay
    /// True once a part of an answer went to the client. A refusal would then look like a part of that answer.
    private(set) var hasAnswered = false
    private var hasSent = false
    private var status: UInt16?
    private var bytes: UInt64 = 0

    init(
        _ request: CheckedRequest, _ facts: RequestFacts, by program: String?, of connection: Connection,
        for relay: Relay
    ) {
        self.request = request
        self.facts = facts
        self.program = program
        use = LoanUse(method: facts.method, path: facts.path)
        body = RequestBody(request, limit: relay.service.bodyLimit)
        self.connection = connection
        self.relay = relay
    }

    /// The next step on the client's connection.
    enum Next: Sendable {
        /// The next request.
        case request
        /// The end.
        case end
        /// The end, when the client has stopped to send a body that the server did not want.
        case endOfBody
    }

    /// Asks for the use, sends the request, and passes the answer on.
    mutating func run(_ input: inout ClientInput) throws(ConnectionFault) -> Next {
        if let reader = relay.service.reader, let answer = try readUse(reader, &input) {
            try send(answer, &input)
            return request.closes ? .end : .request
        }
        use.program = program
        try ask(input)
        defer { report() }
        var link = try UpstreamLink(connection, relay)
        guard relay.holders.enter() else { throw .refused(.ended) }
        defer { relay.holders.leave() }
        return try transfer(&input, &link)
    }

    /// Finds out which use the request is. Returns the answer if it is none.
    private mutating func readUse(
        _ reader: any UseReader, _ input: inout ClientInput
    ) throws(ConnectionFault) -> OwnAnswer? {
        var reading = reader.read(facts)
        var bodyReader: (any BodyUseReader)?
        while true {
            switch reading {
            case .use(let use, let writer):
                (self.use, refusalWriter) = (use, writer)
                return nil
            case .refused(let refusal, let writer):
                refusalWriter = writer
                throw .refused(Refusal(refusal))
            case .answer(let answer): return answer
            case .needsMore:
                if bodyReader == nil {
                    input.keep(request.head)
                    bodyReader = reader.body(of: facts)
                }
                guard !body.isWhole else { throw .refused(Refusal(WireRefusal(.request, .endsEarly))) }
                try body.readBeginning(&input, connection, relay.limits)
                reading = bodyReader?.read(body.beginning, isWhole: body.isWhole) ?? .needsMore
            }
        }
    }

    /// Sends an answer of the courier's own, when the client has sent its whole body.
    private mutating func send(_ answer: OwnAnswer, _ input: inout ClientInput) throws(ConnectionFault) {
        try body.skip(&input, connection, relay.limits)
        try connection.send(answer.bytes(closing: request.closes).span.bytes, relay.limits)
    }

    /// Answers a refusal in the words of the client, if it has its own and nothing was sent. Returns false if not.
    mutating func explain(_ refusal: Refusal, _ input: inout ClientInput) throws(ConnectionFault) -> Bool {
        guard let refusalWriter, !hasSent else { return false }
        try send(refusalWriter(refusal.sentence), &input)
        return true
    }

    /// Asks the keeper, and keeps the credential where a cut finds it.
    private func ask(_ input: borrowing ClientInput) throws(ConnectionFault) {
        guard !relay.holders.isClosed else { throw .refused(.ended) }
        let credential = try input.withHead { (bytes) throws(ConnectionFault) in
            do throws(LoanRefusal) {
                return try relay.keeper.credential(for: use, of: request, in: bytes)
            } catch { throw .refused(Refusal(error)) }
        }
        connection.credential.fill(credential)
    }

    /// Tells the keeper how the use ended. A credential that was not used goes now.
    private func report() {
        _ = connection.credential.take()
        if hasSent {
            relay.keeper.sent(use, status: status, bytes: bytes)
        } else {
            relay.keeper.notSent(use)
        }
    }

    /// Sends the request and passes the answer on.
    private mutating func transfer(
        _ input: inout ClientInput, _ link: inout UpstreamLink
    ) throws(ConnectionFault) -> Next {
        // A cut has taken the credential away if it is not here.
        guard let credential = connection.credential.take() else { throw .clientGone }
        guard Self.canConceal(credential) else { throw .refused(.tooShort) }
        var head: GuardedHead? = try self.head(with: credential, from: input)
        hasSent = true
        try sendHead(head, &link)
        if !mayRepeat(link) { head = nil }
        // The server works meanwhile.
        var answer = try Answer(try Self.masker(for: credential), to: use, over: connection, for: relay)
        _ = consume credential
        defer {
            hasAnswered = answer.hasWritten
            bytes = answer.bodyBytes
        }
        let isWhole = try sendBody(&input, link, &answer)
        var limit = relay.limits.lateAnswerMilliseconds
        if isWhole {
            limit = relay.service.headMilliseconds
            try awaitAnswer(&answer, head, &link)
        }
        head = nil
        let checked = try answer.readHead(isHead: request.head.isHead, link, withinMilliseconds: limit)
        try answer.relay(checked, closing: request.closes || !isWhole, link)
        status = checked.head.status
        guard isWhole else { return .endOfBody }
        if !checked.closes { link.giveBack() }
        return request.closes ? .end : .request
    }

    /// Returns true if the server may have closed the connection before the request came, and a second request does no harm.
    private func mayRepeat(_ link: borrowing UpstreamLink) -> Bool {
        link.isPooled && !request.hasBody && ["GET", "HEAD", "OPTIONS"].contains(use.method)
    }

    /// Sends the head. If an idle connection turns out to be closed, it sends the head once more over a new one.
    private func sendHead(_ head: borrowing GuardedHead?, _ link: inout UpstreamLink) throws(ConnectionFault) {
        do throws(ConnectionFault) { try write(head, link) } catch { try resend(head, &link, after: error) }
    }

    /// Waits for the first byte of the answer. If an idle connection turns out to be closed, it sends the head once more.
    private func awaitAnswer(
        _ answer: inout Answer, _ head: borrowing GuardedHead?, _ link: inout UpstreamLink
    ) throws(ConnectionFault) {
        let limit = relay.service.headMilliseconds
        do throws(ConnectionFault) { try answer.readFirst(link, withinMilliseconds: limit) } catch {
            try resend(head, &link, after: error)
            try answer.readFirst(link, withinMilliseconds: limit)
        }
    }

    /// Sends the head over a new connection, if the fault of the old one allows it.
    private func resend(
        _ head: borrowing GuardedHead?, _ link: inout UpstreamLink, after fault: ConnectionFault
    ) throws(ConnectionFault) {
        guard case .broken = fault, mayRepeat(link) else { throw fault }
        try link.reconnect()
        try write(head, link)
    }

    private func write(_ head: borrowing GuardedHead?, _ link: borrowing UpstreamLink) throws(ConnectionFault) {
        try head?.withBytes { (bytes) throws(ConnectionFault) in try link.write(bytes) }
    }

    /// Passes the body on. Returns false if the server answered, or broke the connection, before it had the whole body.
    private mutating func sendBody(
        _ input: inout ClientInput, _ link: borrowing UpstreamLink, _ answer: inout Answer
    ) throws(ConnectionFault) -> Bool {
        guard request.hasBody else { return true }
        var framed = FramedBody(request.framing, .request)
        do throws(ConnectionFault) {
            while try body.readNext(&input, into: &framed, connection, relay.limits) {
                if try answer.hasCome(link) { return false }
                try framed.flush { (bytes) throws(ConnectionFault) in try link.write(bytes) }
            }
            try framed.finish()
            try framed.flush { (bytes) throws(ConnectionFault) in try link.write(bytes) }
            return true
        } catch {
            guard case .broken = error else { throw error }
            return false
        }
    }

    /// Writes the head for the server, with the credential.
    private borrowing func head(
        with credential: borrowing LentCredential, from input: borrowing ClientInput
    ) throws(ConnectionFault) -> GuardedHead {
        let service = relay.service
        let fields = credential.fields ?? [OwnField(service.field, 0..<credential.values.count)]
        // Each field has a colon, a blank and a line end.
        let names = fields.reduce(0) { $0 + $1.name.utf8.count + 4 }
        let more = credential.values.count + names + service.origin.authority.count + 256
        return try credential.values.withBytes { (value) throws(ConnectionFault) in
            try input.withHead { (bytes) throws(ConnectionFault) in
                try GuardedHead(capacity: request.head.end + more) { (output) throws(WireRefusal) in
                    try request.write(to: service.origin, own: fields, values: value, from: bytes, into: &output)
                }
            }
        }
    }

    /// Returns true if the secret is long enough to be taken out of answers.
    private static func canConceal(_ credential: borrowing LentCredential) -> Bool {
        switch credential.secret {
        case .none: true
        case .some(let secret): secret.count >= MaskedWords.fewest
        }
    }

    /// Returns a masker for the secret, and for the value of a single field without its scheme: the word `Bearer` is no secret.
    private static func masker(for credential: borrowing LentCredential) throws(ConnectionFault) -> Masker {
        var words = try guarding { () throws(SodiumError) in try MaskedWords() }
        var isLongEnough = true
        do throws(SodiumError) {
            switch credential.secret {
            case .none: break
            case .some(let secret):
                isLongEnough = try words.add(secret)
                if credential.fields == nil {
                    let token = try token(of: credential.values)
                    // The value may be nothing but a short word around the secret, or the secret itself.
                    if !token.equals(secret) { _ = try words.add(token) }
                }
            }
            if isLongEnough { return try Masker(words, keepsLength: true) }
        } catch { throw .refused(.noMemory) }
        throw .refused(.tooShort)
    }

    /// Returns the value of a field without its scheme.
    private static func token(of value: borrowing SecureBytes) throws(SodiumError) -> SecureBytes {
        try value.withBytes { (value) throws(SodiumError) in
            var start = 0
            for place in 0..<value.byteCount where value.unsafeLoad(fromByteOffset: place, as: UInt8.self) == 0x20 {
                start = place + 1
                break
            }
            return try SecureBytes(copying: value.extracting(start..<value.byteCount))
        }
    }
}
