internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import Synchronization
internal import ToolProtocol

/// Answers the port of the tools: clients of the Model Context Protocol over HTTP at `/mcp`, and the lines of `latchkey lend mcp`.
final class ToolPort: PortAnswerer {
    private let server: ToolServer<LoanTools>
    /// The server of `latchkey lend mcp`, which remembers its handshake.
    private let ofLines: Mutex<ToolServer<LoanTools>>

    /// The path for clients over HTTP.
    static let path = WebRequest.served
    /// The path for messages of `latchkey lend mcp`.
    static let lines = "/line"

    init(_ tools: LoanTools) {
        server = ToolServer(name: "latchkey", version: Latchkey.version, desk: tools)
        ofLines = Mutex(server)
    }

    func answer(_ request: RequestFacts, body: RawSpan) -> PortAnswer {
        let message = body.withUnsafeBytes { Array($0) }
        if request.path == Self.lines {
            // A page in a browser names its origin, and is not the program that borrows.
            guard request.method == "POST", request.fields["origin"] == nil else {
                return PortAnswer(refusing: 405, "Messages are posted here.", fields: [("allow", "POST")])
            }
            return line(message).map { PortAnswer(200, "application/json", $0) } ?? PortAnswer(202, nil, [])
        }
        let answer = server.answer(
            WebRequest(
                method: request.method, path: request.path,
                fields: request.fields.map { (name: $0.key, value: $0.value) }, body: message))
        return PortAnswer(UInt16(clamping: answer.status), answer.contentType, answer.body, fields: answer.fields)
    }

    /// Answers a line of `latchkey lend mcp`. Others are answered while it waits.
    private func line(_ message: [UInt8]) -> [UInt8]? {
        switch ofLines.withLock({ $0.begin(message) }) {
        case .nothing: return nil
        case .answer(let answer): return answer
        case .wait(let wait):
            let state = wait.state()
            return ofLines.withLock { $0.end(wait, with: state) }
        }
    }
}
