import Foundation
import PlainText
import Synchronization
import ToolProtocol

/// A desk that lends `api` and `code`, and notes what it is asked.
final class FakeDesk: LoanDesk {
    private let asked = Mutex<(wishes: [DeskWish], states: [(request: String, seconds: Int)])>(([], []))
    private let answers: [String: DeskState]

    /// Creates a desk with an answer for each service, and for each request.
    init(
        _ answers: [String: DeskState] = ["api": .waiting("r1"), "r1": .approved(.init(usesLeft: 3, secondsLeft: 90))]
    ) {
        self.answers = answers
    }

    var wishes: [DeskWish] { asked.withLock { $0.wishes } }
    var states: [(request: String, seconds: Int)] { asked.withLock { $0.states } }

    func services() -> [DeskService] {
        [
            DeskService(
                name: "api", does: "HTTP requests to https://api.example.com",
                rules: ["GET /v1/**", "POST /v1/messages"],
                asks: .eachLease, approval: DeskApproval(usesLeft: nil, secondsLeft: 60)),
            DeskService(name: "code", does: "git \"site\"\n", rules: ["fetch"], asks: .eachUse),
        ]
    }

    func request(_ wish: DeskWish) -> DeskState {
        asked.withLock { $0.wishes.append(wish) }
        return answers[wish.service] ?? .refused("no")
    }

    func state(of request: String, waitingSeconds: Int) -> DeskState {
        asked.withLock { $0.states.append((request, waitingSeconds)) }
        return answers[request] ?? .unknown
    }
}

extension ToolServer where Desk == FakeDesk {
    /// Creates a server. After a handshake, its version is that one.
    static func made(_ desk: FakeDesk = FakeDesk(), handshake version: String? = nil) -> ToolServer {
        var server = ToolServer(name: "latchkey", version: "1.0", desk: desk)
        if let version { _ = server.answer(Sample.message("initialize", #"{"protocolVersion":"\#(version)"}"#)) }
        return server
    }

    /// Returns the answer to a text; nil without one.
    mutating func reply(_ text: String) -> Reply? { answer(Array(text.utf8)).map { Reply($0) } }

    /// Calls a tool after a handshake.
    mutating func call(_ tool: String, _ arguments: String) -> Reply {
        answer(Sample.call(tool, arguments)).map { Reply($0) } ?? Reply(Array("null".utf8))
    }
}

/// Messages of clients.
enum Sample {
    static let handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

    static func message(_ method: String, _ parameters: String = "{}", id: String = "1") -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#.utf8)
    }

    static func call(_ tool: String, _ arguments: String, id: String = "1") -> [UInt8] {
        message("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#, id: id)
    }

    /// The members of `_meta` by which a request says its version.
    static func meta(_ version: String = "2026-07-28") -> String {
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","io.modelcontextprotocol/clientCapabilities":{}}"#
    }

    /// A request that says its version.
    static func stateless(_ method: String, _ parameters: String = "", version: String = "2026-07-28") -> [UInt8] {
        message(method, "{\(meta(version))\(parameters.isEmpty ? "" : ",")\(parameters)}")
    }
}

/// An answer.
struct Reply: CustomStringConvertible {
    let bytes: [UInt8]
    let json: JSON

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = (try? JSON(bytes, deepest: 64)) ?? .null
    }

    /// Returns a member below others.
    subscript(_ path: String...) -> JSON? {
        var value: JSON? = json
        for name in path {
            if case .object(let members)? = value {
                value = members[name]
            } else if case .array(let values)? = value, let place = Int(name), values.indices.contains(place) {
                value = values[place]
            } else {
                return nil
            }
        }
        return value
    }

    /// The answer in a word: `result`, `refused`, or the code of an error with its id.
    var verdict: String {
        if case .array(let values) = json {
            return values.map { Reply(Array($0.text.utf8)).verdict }.joined(separator: ", ")
        }
        guard self["jsonrpc"] == .string("2.0") else { return "no answer" }
        if case .number(let code)? = self["error", "code"] { return "\(code) for \(self["id"]?.text ?? "no id")" }
        if self["result", "isError"] == .bool(true) { return "refused" }
        return self["result"] == nil ? "neither" : "result"
    }

    var structured: JSON? { self["result", "structuredContent"] }

    /// The text of the first content.
    var text: String {
        if case .string(let text)? = self["result", "content", "0", "text"] { text } else { "" }
    }

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
