internal import AgentProtocol
internal import Courier
internal import LatchkeyCLI
internal import LoanRules
internal import SodiumKit

/// Answers a port at which a secret or a key is used without a server: each answer is a use of a loan.
final class LocalPort: PortAnswerer {
    private let lender: Lender
    private let use: LocalUse
    private var service: LoanService { lender.service }

    init(_ lender: Lender, _ use: LocalUse) { (self.lender, self.use) = (lender, use) }

    /// Has a lock, and the end of the loan, cut what a courier does.
    func serve(_ courier: Courier) { lender.interrupting { [weak courier] in courier?.interrupt() } }

    /// The one method of the port.
    private var method: String {
        switch use {
        case .codes, .release: "GET"
        case .signatures, .decryptions: "POST"
        }
    }

    func answer(_ request: RequestFacts, body: RawSpan) -> PortAnswer {
        guard request.path == "/" else {
            return PortAnswer(refusing: 404, "\(service.name) is at the path / alone.")
        }
        guard request.method == method else {
            return PortAnswer(
                refusing: 405, "\(service.name) answers \(method) and nothing else.", fields: [("allow", method)])
        }
        // Only pages in a browser name an origin, and a page is not the program that borrows.
        guard request.fields["origin"] == nil else {
            return PortAnswer(refusing: 403, "\(service.name) does not answer pages.")
        }
        do {
            switch use {
            case .codes: return try code(inJSON: request.fields["accept"]?.contains("application/json") == true)
            case .release(let form): return try release(form)
            case .signatures, .decryptions: return try useKey(KeyQuery(request.query), on: body)
            }
        } catch let error as AgentError {
            let error = error.inCommandWords(for: service.item, isKey: service.target.isOfKey)
            return PortAnswer(refusing: error.kind == .request ? 400 : 403, "\(service.name): \(error.message)")
        } catch {
            return PortAnswer(refusing: 503, "\(service.name): \(error)")
        }
    }

    // MARK: - Uses

    private func code(inJSON: Bool) throws -> PortAnswer {
        var use = try useSecret()
        guard let code = use.secret.take() else { throw AgentError(.agent, "the agent sent no code") }
        do {
            let left = use.reply.secondsLeft.map { ",\"seconds-left\":\($0)" } ?? ""
            var text = try SecureBuffer(capacity: 64)
            if inJSON { try text.append(#"{"code":""#.utf8Span.span.bytes) }
            try code.withBytes { (code) throws(SodiumError) in try text.append(code) }
            try text.append((inJSON ? "\"\(left)}\n" : "\n").utf8Span.span.bytes)
            return PortAnswer(
                guarded: try text.bytes(), inJSON ? "application/json" : "text/plain; charset=utf-8",
                unsent: use.giveBack)
        } catch {
            use.giveBack()
            throw error
        }
    }

    private func release(_ form: ReleaseForm) throws -> PortAnswer {
        var use = try useSecret()
        guard let text = use.secret.take() else { throw AgentError(.agent, "the agent sent no secret") }
        let type =
            switch form {
            case .text: "application/octet-stream"
            case .aws, .kubectl: "application/json"
            }
        return PortAnswer(guarded: text, type, unsent: use.giveBack)
    }

    private func useKey(_ query: KeyQuery?, on message: RawSpan) throws -> PortAnswer {
        guard let query else {
            throw AgentError(.request, "the query may have algorithm=NAME, and raw=true for r and s instead of DER")
        }
        guard message.byteCount > 0 else {
            throw AgentError(.request, "send the data as the body of the request, as in: curl --data-binary @FILE")
        }
        let call = UseKeyLoanCall(algorithm: query.algorithm, isRaw: query.isRaw)
        let sent = try SecureBytes(copying: message)
        var used = try lender.inTurn { [lender] (line) throws(AgentError) in
            let answer = try line.ask(call, sending: sent)
            let (number, id) = (answer.reply.number, line.id)
            return AskedUse(answer) { lender.giveBack(number, on: id) }
        }
        let type = "application/octet-stream"
        if use == .decryptions {
            // A message can be empty. One that was decrypted is a use, also if the client has left.
            return PortAnswer(guarded: try used.secret.take() ?? SecureBytes(count: 0), type)
        }
        return PortAnswer(
            guarded: try SecureBytes(copying: used.reply.signature.span.bytes), type, unsent: used.giveBack)
    }

    /// Asks the agent for a use of the secret.
    private func useSecret() throws(AgentError) -> AskedUse<UseLoanCall.Reply> {
        try lender.inTurn { [lender] (line) throws(AgentError) in
            let answer = try line.ask(UseLoanCall(method: method, path: "/"))
            let (number, id) = (answer.reply.number, line.id)
            return AskedUse(answer) { lender.giveBack(number, on: id) }
        }
    }
}

/// The answer of the agent to a use, and the call that gives the use back.
private struct AskedUse<Reply: CallReply>: ~Copyable {
    let reply: Reply
    var secret: SecureBytes?
    let giveBack: @Sendable () -> Void

    init(_ answer: consuming CallResult<Reply>, giveBack: @escaping @Sendable () -> Void) {
        reply = answer.reply
        secret = answer.secret.take()
        self.giveBack = giveBack
    }
}

/// The query of a request to a key: the algorithm, and the form of a signature.
private struct KeyQuery {
    var algorithm: String?
    var isRaw = false

    /// Reads a query; nil for one that says anything else.
    init?(_ query: String?) {
        for piece in (query ?? "").split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (parts[0], parts.dropFirst().first) {
            case ("algorithm", let name?): algorithm = name
            case ("raw", "true"): isRaw = true
            default: return nil
            }
        }
    }
}
