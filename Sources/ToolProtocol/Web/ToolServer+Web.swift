internal import PlainText

extension ToolServer {
    /// Answers a request by HTTP: one message to `POST /mcp`, one answer in JSON. There are no sessions and no streams. It waits where
    /// a tool waits.
    ///
    /// The caller has checked Host, and has read no more of the body than the limit and a byte.
    package func answer(_ request: WebRequest) -> WebResponse {
        do throws(WebFault) {
            try Self.check(request)
            return try served(request)
        } catch {
            return WebResponse(
                error.status, fields: error.fields,
                json: error.fault.map { Answer.fault($0, id: .null).bytes })
        }
    }

    private static func check(_ request: WebRequest) throws(WebFault) {
        if let origin = try request.only("origin"), !WebFields.isLoopback(origin: origin) {
            throw WebFault(status: 403)
        }
        guard request.path == WebRequest.served else { throw WebFault(status: 404) }
        guard request.method == "POST" else { throw WebFault(status: 405, fields: [("Allow", "POST")]) }
        guard WebFields.acceptsJSON(request.fields.filter { $0.name == "accept" }.map { $0.value }) else {
            throw WebFault(status: 406, Fault(.invalidRequest, "Accept has application/json and text/event-stream."))
        }
        guard let type = try request.only("content-type"), WebFields.isJSON(type) else {
            throw WebFault(status: 415, Fault(.invalidRequest, "Content-Type is application/json."))
        }
        guard request.body.count <= MessageLimits.bytes else {
            throw WebFault(status: 413, Fault(.invalidRequest, "A message has at most \(MessageLimits.bytes) bytes."))
        }
    }

    private func served(_ request: WebRequest) throws(WebFault) -> WebResponse {
        let said = try request.only("mcp-protocol-version")
        let version = said.map { ProtocolVersion(rawValue: $0) } ?? .unsaid
        switch Incoming(request.body, hasBatches: version?.hasBatches ?? false) {
        case .batch(let messages):
            return methods.answers(to: messages).map { WebResponse(200, json: $0) } ?? WebResponse(202)
        case .one(.wrong(let fault, let id)): return WebResponse(400, json: Answer.fault(fault, id: id).bytes)
        case .one(.notification): return WebResponse(version == nil ? 400 : 202)
        case .one(.response): return WebResponse(version?.era == .handshake ? 202 : 400)
        case .one(.request(let message)):
            do throws(Fault) {
                let era = try Self.era(of: message, saidVersion: said, version)
                if era == .stateless { try Self.compare(message, with: request) }
                return WebResponse(200, json: try answer(to: message, in: era))
            } catch {
                let isStateless = message.isStateless || version?.era != .handshake
                return WebResponse(
                    isStateless ? error.kind.status : 200, json: Answer.fault(error, id: message.id).bytes)
            }
        }
    }

    /// Returns the era of a request. Field and request have to say the same version.
    private static func era(
        of request: Request, saidVersion: String?, _ version: ProtocolVersion?
    ) throws(Fault) -> ProtocolVersion.Era {
        let inRequest = request.meta?[MetaName.version]
        if let inRequest, inRequest.asText != saidVersion {
            throw Fault(.headerMismatch, "MCP-Protocol-Version and params._meta say different versions.")
        }
        guard let version else { throw Fault.unsupported(saidVersion ?? "") }
        if request.method == "server/discover", saidVersion == nil {
            throw Fault(.headerMismatch, "MCP-Protocol-Version is missing.")
        }
        return inRequest != nil ? .stateless : version.era
    }

    /// Checks that the fields about a request agree with it. Another program may have decided by them.
    private static func compare(_ message: Request, with request: WebRequest) throws(Fault) {
        func field(_ name: String) throws(Fault) -> String? {
            do throws(WebFault) { return try request.only(name) } catch {
                throw error.fault ?? Fault(.headerMismatch, "\(name) is wrong.")
            }
        }
        guard try field("mcp-method") == message.method else {
            throw Fault(.headerMismatch, "Mcp-Method is not the method of the request.")
        }
        guard message.method == "tools/call", let name = message.parameters["name"]?.asText else { return }
        guard let named = try field("mcp-name"), WebFields.names(named, name) else {
            throw Fault(.headerMismatch, "Mcp-Name is not the tool of the request.")
        }
    }

    private func answer(to request: Request, in era: ProtocolVersion.Era) throws(Fault) -> [UInt8] {
        switch try methods.outcome(of: request, in: era) {
        case .result(let members):
            return Answer.result(methods.complete(members, in: era), id: request.id).bytes
        case .wait(let name, let seconds):
            let wait = ToolWait(
                desk: methods.desk, request: name, seconds: seconds, id: request.id, era: era, number: 0)
            return methods.answer(to: wait, with: wait.state()).bytes
        }
    }
}

extension Fault.Kind {
    /// The status of an answer with this error.
    fileprivate var status: Int {
        switch self {
        case .unknownMethod: 404
        case .notJSON, .invalidRequest, .invalidParameters, .headerMismatch, .unsupportedVersion: 400
        }
    }
}
