import Glibc
import PlainText
import ToolProtocol

// A server of tools with services that it makes up. It answers each line of standard input: a message, or with the word `web` a
// request by HTTP as an object in JSON.

/// Services that are lent to no program, and an owner who says yes to the first.
struct MadeUpDesk: LoanDesk {
    func services() -> [DeskService] {
        [
            DeskService(
                name: "api", does: "HTTP requests to https://api.example.com, sent to $LENT_API", rules: ["GET /v1/**"],
                asks: .eachLease, approval: DeskApproval(usesLeft: 2, secondsLeft: 600)),
            DeskService(
                name: "code", does: "git with https://github.com/alice/site.git", rules: ["fetch", "push agent/*"],
                asks: .eachUse),
            DeskService(
                name: "free", does: "HTTP requests to https://free.example.com", rules: ["GET /*"], asks: .never),
        ]
    }

    func request(_ wish: DeskWish) -> DeskState {
        switch wish.service {
        case "api": .waiting("request-1")
        case "code": .refused("The policy of this secret asks at each use. Use the service, and the owner is asked.")
        default: .approved(DeskApproval(usesLeft: nil, secondsLeft: nil))
        }
    }

    func state(of request: String, waitingSeconds: Int) -> DeskState {
        request == "request-1" ? .approved(DeskApproval(usesLeft: 20, secondsLeft: 1_800)) : .unknown
    }
}

/// Returns the answer to a request by HTTP, both as objects in JSON.
func answer(_ line: [UInt8], by server: ToolServer<MadeUpDesk>) -> [UInt8] {
    guard case .object(let members)? = try? JSON(line) else { return [] }
    func text(_ name: String) -> String {
        if case .string(let text)? = members[name] { text } else { "" }
    }
    var fields: [(name: String, value: String)] = []
    if case .object(let values)? = members["fields"] {
        for case (let name, .string(let value)) in values { fields.append((name, value)) }
    }
    let answer = server.answer(
        WebRequest(method: text("method"), path: text("path"), fields: fields, body: Array(text("body").utf8)))
    var headers: [String: JSON] = [:]
    for field in answer.fields { headers[field.name] = .string(field.value) }
    if let type = answer.contentType { headers["Content-Type"] = .string(type) }
    let reply = JSON.object([
        "status": .number("\(answer.status)"), "fields": .object(headers),
        "body": .string(String(decoding: answer.body, as: UTF8.self)),
    ])
    return Array(reply.text.utf8)
}

var server = ToolServer(name: "latchkey", version: "1.0", desk: MadeUpDesk())
let isWeb = CommandLine.arguments.last == "web"
var lines = MessageLines()
var bytes = [UInt8](repeating: 0, count: 65_536)
while true {
    let count = read(0, &bytes, bytes.count)
    if count <= 0 { break }
    for line in lines.add(bytes[..<count]) {
        guard let reply = isWeb ? answer(line, by: server) : server.answer(line) else { continue }
        print(String(decoding: reply, as: UTF8.self))
        fflush(nil)
    }
}
