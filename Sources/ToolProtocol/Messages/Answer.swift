internal import PlainText

/// The answer to a request, as JSON-RPC has it.
enum Answer: Sendable {
    case result([String: JSON], id: JSON)
    case fault(Fault, id: JSON)

    var json: JSON {
        switch self {
        case .result(let members, let id): .object(["jsonrpc": .string("2.0"), "id": id, "result": .object(members)])
        case .fault(let fault, let id): .object(["jsonrpc": .string("2.0"), "id": id, "error": fault.json])
        }
    }

    /// The answer as one line, without its end.
    var bytes: [UInt8] { Array(json.text.utf8) }
}
