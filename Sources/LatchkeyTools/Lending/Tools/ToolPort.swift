internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import Synchronization
internal import ToolProtocol

/// Answers the port of the tools: clients of the Model Context Protocol over HTTP at `/mcp`, and the lines of `latchkey lend mcp`.
final class ToolPort: PortAnswerer {
    private let server: ToolServer<LoanTools>
    /// The servers of each `latchkey lend mcp`, which remember their handshakes, by the names that those chose. The oldest is first.
    private let ofLines = Mutex<[(client: String, server: ToolServer<LoanTools>)]>([])

    /// The most of these clients that are remembered.
    private static let most = 16

    /// The path for clients over HTTP.
    static let path = WebRequest.served
    /// The path for messages of `latchkey lend mcp`.
    static let lines = "/line"

    init(_ tools: LoanTools) {
        server = ToolServer(name: "latchkey", version: Latchkey.version, desk: tools)
    }

    func answer(_ request: RequestFacts, body: RawSpan) -> PortAnswer {
        let message = body.withUnsafeBytes { Array($0) }
        if request.path == Self.lines {
            // A page in a browser names its origin, and is not the program that borrows.
            guard request.method == "POST", request.fields["origin"] == nil else {
                return PortAnswer(refusing: 405, "Messages are posted here.", fields: [("allow", "POST")])
            }
            return line(message, of: request.query ?? "").map { PortAnswer(200, "application/json", $0) }
                ?? PortAnswer(202, nil, [])
        }
        let answer = server.answer(
            WebRequest(
                method: request.method, path: request.path,
                fields: request.fields.map { (name: $0.key, value: $0.value) }, body: message))
        return PortAnswer(UInt16(clamping: answer.status), answer.contentType, answer.body, fields: answer.fields)
    }

    /// Answers a line of a `latchkey lend mcp`. Others are answered while it waits.
    private func line(_ message: [UInt8], of client: String) -> [UInt8]? {
        switch withServer(of: client, { $0.begin(message) }) {
        case .nothing: return nil
        case .answer(let answer): return answer
        case .wait(let wait):
            let state = wait.state()
            return withServer(of: client) { $0.end(wait, with: state) }
        }
    }

    /// Runs `body` with the server of a client. Two clients give the same numbers to their requests.
    private func withServer<Value>(of client: String, _ body: (inout ToolServer<LoanTools>) -> Value) -> Value {
        ofLines.withLock { known in
            if let place = known.firstIndex(where: { $0.client == client }) { return body(&known[place].server) }
            if known.count >= Self.most { known.removeFirst() }
            known.append((client, server))
            return body(&known[known.count - 1].server)
        }
    }
}
