internal import PlainText

/// The methods of the protocol.
struct Methods<Desk: LoanDesk>: Sendable {
    let name: String
    let version: String
    let desk: Desk

    /// The outcome of a request.
    enum Outcome: Sendable {
        case result([String: JSON])
        /// A tool waits for the owner.
        case wait(request: String, seconds: Int)
    }

    /// Returns the outcome of a request of an era.
    func outcome(of request: Request, in era: ProtocolVersion.Era) throws(Fault) -> Outcome {
        switch era {
        case .handshake: try handshakeOutcome(of: request)
        case .stateless: try statelessOutcome(of: request)
        }
    }

    private func handshakeOutcome(of request: Request) throws(Fault) -> Outcome {
        switch request.method {
        case "initialize":
            return .result([
                "protocolVersion": .string(try Self.versionByHandshake(request).rawValue),
                "capabilities": capabilities, "serverInfo": identity, "instructions": .string(instructions),
            ])
        case "ping": return .result([:])
        case "tools/list": return .result(try tools(request))
        case "tools/call": return try call(request)
        default: throw Fault(.unknownMethod, "There is no such method.")
        }
    }

    private func statelessOutcome(of request: Request) throws(Fault) -> Outcome {
        try Self.checkMeta(request)
        switch request.method {
        case "server/discover":
            let members: [String: JSON] = [
                "supportedVersions": .texts(ProtocolVersion.names), "capabilities": capabilities,
                "serverInfo": identity, "instructions": .string(instructions),
            ]
            return .result(members.merging(freshness) { $1 })
        case "tools/list": return .result(try tools(request).merging(freshness) { $1 })
        case "tools/call": return try call(request)
        default: throw Fault(.unknownMethod, "There is no such method.")
        }
    }

    /// Returns the members of a result with those that all results of the era have.
    func complete(_ members: [String: JSON], in era: ProtocolVersion.Era) -> [String: JSON] {
        var members = members
        switch era {
        case .handshake: break
        case .stateless:
            members["resultType"] = .string("complete")
            members["_meta"] = .object(["io.modelcontextprotocol/serverInfo": identity])
        }
        return members
    }

    private var capabilities: JSON { .object(["tools": .object([:])]) }

    private var identity: JSON {
        .object(["name": .string(name), "title": .string("Latchkey"), "version": .string(version)])
    }

    /// The text for the model that uses the tools.
    private var instructions: String {
        "Latchkey lends uses of secrets to this sandbox. You send requests to a lent service, and it puts the secret in on "
            + "the way: you never get the secret, and no tool returns it. Start with latchkey_list. The owner approves "
            + "uses elsewhere, in a window or at another terminal. You cannot approve, and asking again does not help."
    }

    /// The members of a result that stays as it is while the server runs.
    private var freshness: [String: JSON] { ["ttlMs": .number(3_600_000), "cacheScope": .string("public")] }
}

// MARK: - Versions

extension Methods {
    /// Returns the version for a client that begins with a handshake: the one that it wants, or the latest of them.
    static func versionByHandshake(_ request: Request) throws(Fault) -> ProtocolVersion {
        guard let wanted = request.parameters["protocolVersion"]?.asText else {
            throw Fault(.invalidParameters, "params.protocolVersion is a text.")
        }
        guard let version = ProtocolVersion(rawValue: wanted), version.era == .handshake else {
            return .latestByHandshake
        }
        return version
    }

    /// Checks what a request says of itself.
    private static func checkMeta(_ request: Request) throws(Fault) {
        let meta = request.meta ?? [:]
        guard let version = meta[MetaName.version]?.asText else {
            throw Fault(.invalidParameters, "params._meta has \(MetaName.version), a text.")
        }
        guard ProtocolVersion(rawValue: version)?.era == .stateless else { throw Fault.unsupported(version) }
        guard meta[MetaName.capabilities]?.members != nil else {
            throw Fault(.invalidParameters, "params._meta has \(MetaName.capabilities), an object.")
        }
        if let client = meta[MetaName.client], client.members == nil {
            throw Fault(.invalidParameters, "\(MetaName.client) in params._meta is an object.")
        }
    }
}

/// The names in `_meta`.
enum MetaName: Sendable {
    static let version = "io.modelcontextprotocol/protocolVersion"
    static let capabilities = "io.modelcontextprotocol/clientCapabilities"
    static let client = "io.modelcontextprotocol/clientInfo"
}

// MARK: - Tools

extension Methods {
    private func tools(_ request: Request) throws(Fault) -> [String: JSON] {
        // All tools are on the first page, so no client got the name of another one.
        if let cursor = request.parameters["cursor"], cursor != .null {
            throw Fault(.invalidParameters, "There is one page of tools: leave out params.cursor.")
        }
        return ["tools": .array(Tool.allCases.map { $0.declaration })]
    }

    private func call(_ request: Request) throws(Fault) -> Outcome {
        guard let name = request.parameters["name"]?.asText else {
            throw Fault(.invalidParameters, "params.name is a text.")
        }
        guard let tool = Tool(rawValue: name) else { throw Fault(.invalidParameters, "There is no such tool.") }
        let given = request.parameters["arguments"] ?? .null
        guard let values = given == .null ? [:] : given.members else {
            throw Fault(.invalidParameters, "params.arguments is an object.")
        }
        do throws(ArgumentFault) {
            return outcome(of: tool, try tool.arguments(values))
        } catch {
            return .result(ToolResult.refused(error.words).members)
        }
    }

    private func outcome(of tool: Tool, _ arguments: Arguments) -> Outcome {
        switch tool {
        case .list: return .result(ToolResult(desk.services()).members)
        case .request:
            guard let service = arguments.texts["service"], let reason = arguments.texts["reason"],
                desk.services().contains(where: { $0.name == service })
            else { return .result(ToolResult.notLent.members) }
            let wish = DeskWish(
                service: service, verb: arguments.texts["verb"], target: arguments.texts["target"],
                uses: arguments.numbers["uses"], minutes: arguments.numbers["minutes"], reason: reason)
            return .result(ToolResult(desk.request(wish)).members)
        case .status:
            return .wait(
                request: arguments.texts["request"] ?? "", seconds: arguments.numbers["seconds"] ?? Tool.longestWait)
        }
    }
}
