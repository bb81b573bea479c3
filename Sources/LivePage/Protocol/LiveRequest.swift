/// Every request of the live protocol.
package enum LiveRequest: CaseIterable, Sendable {
    /// The page and its parts.
    case page, style, script
    /// The device as it is now.
    case state
    /// Everything that happened so far.
    case history
    /// Everything that happens.
    case events
    /// The JSON Schema of the protocol.
    case schema
    /// A new device.
    case device
    case steps
    /// A proof of a claim.
    case prove

    /// True if the request changes the device.
    package var drives: Bool {
        switch self {
        case .page, .style, .script, .state, .history, .events, .schema, .prove: false
        case .device, .steps: true
        }
    }

    /// The method of HTTP.
    package var method: String {
        switch self {
        case .page, .style, .script, .state, .history, .events, .schema: "GET"
        case .device, .steps, .prove: "POST"
        }
    }

    /// The path below the address.
    package var path: String {
        switch self {
        case .page: ""
        case .style: "live.css"
        case .script: "live.js"
        case .state: "state"
        case .history: "history"
        case .events: "events"
        case .schema: "schema"
        case .device: "device"
        case .steps: "steps"
        case .prove: "prove"
        }
    }

    /// The definition of the body in the schema; nil if the request has none.
    package var body: String? {
        switch self {
        case .page, .style, .script, .state, .history, .events, .schema: nil
        case .device: "device-request"
        case .steps: "steps-request"
        case .prove: "prove-request"
        }
    }

    /// The objects that answer the request, as a whole or as events.
    package var replies: [any LiveObject.Type] {
        switch self {
        case .page, .style, .script, .schema: []
        case .state: [LiveState.self, LiveError.self]
        case .history, .device: [LiveHistory.self, LiveError.self]
        case .events: [LiveHistory.self, LiveStep.self]
        case .steps: [LivePlayed.self, LiveError.self]
        case .prove: [LiveProof.self, LiveError.self]
        }
    }

    /// The meaning of the request, in one line.
    package var says: String {
        switch self {
        case .page: "the page"
        case .style: "the style sheet of the page"
        case .script: "the script of the page"
        case .state: "the device, its items, files and keys, and the end of its audit log, as they are now"
        case .history: "the device at the beginning, and every step since"
        case .events:
            "server-sent events: a `history` at once and after each new device, then each `step` as it happens"
        case .schema: "the JSON Schema of this protocol"
        case .device: "begins anew with the device, people, apps, items and files of a scenario"
        case .steps: "plays one step or a list of steps, in the words of a scenario"
        case .prove:
            "proves a claim about an access policy, as `latchkey.prove` does in [the playground](playground.md)"
        }
    }
}

extension LiveRequest {
    /// The name of the event that holds a whole history.
    static let historyEvent = LiveHistory.name
    /// The name of the event that holds one step.
    static let stepEvent = "step"
}
