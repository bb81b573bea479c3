internal import PlainText

/// An error of the protocol, as JSON-RPC reports it. A tool that refuses is not one.
struct Fault: Error, Hashable, Sendable {
    /// The kinds of errors, with their numbers in JSON-RPC and in the Model Context Protocol.
    enum Kind: Int, Sendable {
        case notJSON = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    let kind: Kind
    let message: String
    private(set) var data: [String: JSON]?

    init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    /// Creates the error for a version that this server does not speak.
    static func unsupported(_ version: String) -> Fault {
        var fault = Fault(
            .unsupportedVersion,
            "Unsupported protocol version. Each request of \(ProtocolVersion.july2026.rawValue) has it; "
                + "earlier versions begin with initialize.")
        fault.data = ["supported": .texts(ProtocolVersion.names), "requested": .string(String(version.prefix(40)))]
        return fault
    }

    var json: JSON {
        var members: [String: JSON] = ["code": .number(kind.rawValue), "message": .string(message)]
        if let data { members["data"] = .object(data) }
        return .object(members)
    }
}
