/// A request that passed every check of the server.
package struct LocalRequest: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        /// The request reads.
        case get = "GET"
        /// The request changes something.
        case post = "POST"
    }

    package let method: Method
    /// The path below the token, such as `state`; empty for the page.
    package let path: String
    /// The body; empty if the method is `GET`.
    package let body: [UInt8]
}

/// The answer to a request.
package struct LocalReply: Sendable {
    package enum Content: Sendable {
        /// The whole content.
        case bytes([UInt8])
        /// Events, sent as they happen.
        case events(EventStream)
    }

    /// The type of an answer's content.
    package enum Kind: String, Sendable {
        case html = "text/html; charset=utf-8"
        case css = "text/css; charset=utf-8"
        case javaScript = "text/javascript; charset=utf-8"
        case json = "application/json"
        /// Server-sent events.
        case events = "text/event-stream"
    }

    /// The status of HTTP.
    package let status: UInt32
    package let kind: Kind
    package let content: Content

    package init(_ kind: Kind, _ bytes: [UInt8], status: UInt32 = 200) {
        (self.kind, self.status, content) = (kind, status, .bytes(bytes))
    }

    package init(json: String, status: UInt32 = 200) { self.init(.json, Array(json.utf8), status: status) }

    /// Creates an answer that sends events until one side closes it.
    package init(_ stream: EventStream) { (kind, status, content) = (.events, 200, .events(stream)) }
}
