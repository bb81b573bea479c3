/// Finds out which use a request is, where its method and path do not say it, and answers requests that are no use.
///
/// It decides before the keeper is asked, and before the server gets a byte. Without one, a request is the use of its method and path.
package protocol UseReader: Sendable {
    /// Begins to read a request.
    func read(_ request: RequestFacts) -> UseReading
    /// Reads the beginning of the body of a request, if the reading of its head said `needsMore`.
    func body(of request: RequestFacts) -> any BodyUseReader
}

/// Reads the beginning of the body of one request.
package protocol BodyUseReader {
    /// Reads on.
    ///
    /// - Parameters:
    ///   - beginning: The body so far. What was there before is unchanged.
    ///   - isWhole: True if the body has no more bytes.
    mutating func read(_ beginning: [UInt8], isWhole: Bool) -> UseReading
}

/// The head of a request, for a reader of uses.
package struct RequestFacts: Hashable, Sendable {
    package var method: String
    /// The path, as the client wrote it.
    package var path: String
    /// The query without its question mark; nil if there is none.
    package var query: String?
    /// The fields that are passed on, with names in lowercase and hyphens.
    package var fields: [String: String]

    package init(method: String, path: String, query: String?, fields: [String: String] = [:]) {
        (self.method, self.path, self.query, self.fields) = (method, path, query, fields)
    }
}

/// The result of reading a request.
package enum UseReading: Sendable {
    /// More of the body is needed.
    case needsMore
    /// It is this use. If that is refused, the answer says so in the words of the protocol.
    case use(LoanUse, refusal: RefusalWriter?)
    /// It is refused.
    case refused(LoanRefusal, RefusalWriter?)
    /// It is no use, and the server gets nothing of it.
    case answer(OwnAnswer)
}

/// Writes a refusal in the words of a protocol over HTTP, so that its client shows it.
package typealias RefusalWriter = @Sendable (String) -> OwnAnswer

/// An answer with status 200 that is not the server's.
package struct OwnAnswer: Hashable, Sendable {
    package var contentType: String
    package var body: [UInt8]

    package init(contentType: String, body: [UInt8]) { (self.contentType, self.body) = (contentType, body) }

    /// Returns the whole answer.
    func bytes(closing: Bool) -> [UInt8] {
        var head = "HTTP/1.1 200 OK\r\ncontent-type: \(contentType)\r\ncache-control: no-cache\r\n"
        head += "content-length: \(body.count)\r\n" + (closing ? "connection: close\r\n\r\n" : "\r\n")
        return Array(head.utf8) + body
    }
}
