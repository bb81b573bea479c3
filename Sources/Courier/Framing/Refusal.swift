internal import HTTPWire
internal import PlainText

/// An answer of the courier itself: a status, and a sentence.
struct Refusal: Hashable, Sendable {
    let status: UInt16
    private let phrase: String
    let sentence: String

    private init(_ status: UInt16, _ phrase: String, _ sentence: String) {
        (self.status, self.phrase, self.sentence) = (status, phrase, sentence)
    }

    /// Creates the answer for bytes that are refused.
    init(_ refusal: WireRefusal) {
        self.init(refusal.status, "\(WireRefusal.phrase(refusal.status))", refusal.description)
    }

    /// Creates the answer for a use that is refused.
    init(_ refusal: LoanRefusal) {
        self.init(403, "Forbidden", Terminal.sentence(refusal.message, longest: 400))
    }

    /// Creates the answer for a server that cannot be reached.
    init(_ error: UpstreamError) {
        let reason = Terminal.sentence(error.message, longest: 200)
        self.init(502, "Bad Gateway", "The server cannot be reached: \(reason)")
    }

    static let ended = Refusal(403, "Forbidden", "The loan has ended. Ask the owner to lend again.")
    static let noToken = Refusal(
        403, "Forbidden",
        "Every user of the machine reaches this address, so each request needs the placeholder as its credential. Send the value of the variable that the profile sets to it."
    )

    /// Returns the answer of a port that answers no more.
    static func ended(_ name: String) -> Refusal {
        Refusal(403, "Forbidden", "\(Terminal.word(name)) has ended. Ask the owner to lend again.")
    }

    /// The type of a sentence.
    static let contentType = "text/plain; charset=utf-8"
    static let tooShort = Refusal(
        403, "Forbidden", "The secret is too short to be taken out of answers, so it is not lent.")
    static let tooMany = Refusal(
        503, "Service Unavailable", "Too many connections are open. Close one, and try again.")
    static let noMemory = Refusal(
        503, "Service Unavailable", "No guarded memory is left for the credential. Close a connection, and try again.")
    static let interrupted = Refusal(502, "Bad Gateway", "The server ended the connection before its answer.")
    static let hidden = Refusal(
        502, "Bad Gateway", "The head of the answer has the credential where it cannot be taken out.")

    /// Returns the whole answer. The answer to HEAD has no body. Many clients that ask for JSON show no other error, so theirs is an object
    /// as vendors of models send it.
    func bytes(closing: Bool, isHead: Bool = false, asJSON: Bool = false) -> [UInt8] {
        let object = "{\"type\":\"error\",\"error\":{\"type\":\"refused\",\"message\":\(Quoting.json(sentence))}}"
        let body = (asJSON ? object : sentence) + "\n"
        let type = asJSON ? "application/json" : Self.contentType
        var text = "HTTP/1.1 \(status) \(phrase)\r\ncontent-type: \(type)\r\n"
        text += "x-should-retry: false\r\ncontent-length: \(body.utf8.count)\r\n"
        text += closing ? "connection: close\r\n\r\n" : "\r\n"
        return Array((isHead ? text : text + body).utf8)
    }
}
