internal import PlainText

/// The result of a tool.
enum ToolResult: Sendable {
    /// An object of the shape that the tool declares.
    case done([String: JSON])
    /// The tool did not do it, for a reason that the model reads.
    case refused(String)

    /// The members of the result of `tools/call`. Older clients read the text, which says the same.
    var members: [String: JSON] {
        switch self {
        case .done(let values):
            let value = JSON.object(values)
            return [
                "content": Self.content(value.text), "structuredContent": value, "isError": .bool(false),
            ]
        case .refused(let words): return ["content": Self.content(words), "isError": .bool(true)]
        }
    }

    private static func content(_ text: String) -> JSON {
        .array([.object(["type": .string("text"), "text": .string(text)])])
    }
}

extension ToolResult {
    /// Creates the result of `latchkey_list`.
    init(_ services: [DeskService]) {
        let list = services.map { service in
            var members: [String: JSON] = [
                "name": .string(service.name), "does": .string(service.does), "rules": .texts(service.rules),
                "asks": .string(service.asks.rawValue),
                "approved": .bool(service.approval != nil || service.asks == .never),
            ]
            if let approval = service.approval { approval.add(to: &members) }
            return JSON.object(members)
        }
        self = .done(["services": .array(list)])
    }

    /// Creates the result of `latchkey_request` and `latchkey_status`.
    init(_ state: DeskState) {
        switch state {
        case .waiting(let request): self = .done(["state": .string("waiting"), "request": .string(request)])
        case .approved(let approval):
            var members: [String: JSON] = ["state": .string("approved")]
            approval.add(to: &members)
            self = .done(members)
        case .refused(let words): self = .refused(words)
        case .unknown:
            self = .refused("There is no such request here, or no longer. Call latchkey_request for a new one.")
        }
    }

    /// The result for a call that would be one wait too many.
    static let tooMany = ToolResult.refused("Too many calls are waiting. End some first.")

    /// The result for a service that is not lent. It is the same for every name, so it tells nothing of other secrets.
    static let notLent = ToolResult.refused("This service is not lent. latchkey_list has those that are.")
}

extension DeskApproval {
    fileprivate func add(to members: inout [String: JSON]) {
        if let usesLeft { members["uses_left"] = .number(max(0, usesLeft)) }
        if let secondsLeft { members["seconds_left"] = .number(max(0, secondsLeft)) }
    }
}
