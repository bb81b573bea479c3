internal import HTTPWire
package import SodiumKit

/// An answer that a courier makes itself. No client may keep it: it is sent with `cache-control: no-store`.
package struct PortAnswer: ~Copyable, Sendable {
    package let status: UInt16
    /// The type of the body; nil for an answer without one.
    package let contentType: String?
    /// More fields, such as `allow`.
    package let fields: [(name: String, value: String)]
    let body: Body
    /// Called if no byte of the body was sent, so that a use can be given back.
    let unsent: (@Sendable () -> Void)?

    /// The body of an answer.
    enum Body: ~Copyable, Sendable {
        case plain([UInt8])
        /// Bytes that are wiped when they have been sent.
        case guarded(SecureBytes)
    }

    /// Creates an answer that has nothing secret.
    package init(
        _ status: UInt16, _ contentType: String?, _ body: [UInt8], fields: [(name: String, value: String)] = []
    ) {
        (self.status, self.contentType, self.fields) = (status, contentType, fields)
        self.body = .plain(body)
        unsent = nil
    }

    /// Creates an answer with status 200 whose body never leaves guarded memory, except to the client.
    ///
    /// - Parameter unsent: Called if no byte of the body was sent.
    package init(
        guarded body: consuming SecureBytes, _ contentType: String, unsent: (@Sendable () -> Void)? = nil
    ) {
        (status, self.contentType, fields) = (200, contentType, [])
        self.body = .guarded(body)
        self.unsent = unsent
    }

    /// Creates a refusal: a sentence that says what to do. Clients that know the field do not repeat the request.
    package init(refusing status: UInt16, _ sentence: String, fields: [(name: String, value: String)] = []) {
        self.init(
            status, Refusal.contentType, Array("\(sentence)\n".utf8),
            fields: [("x-should-retry", "false")] + fields)
    }

    /// The head of the answer. It has nothing secret.
    func head(closing: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(WireRefusal.phrase(status))\r\ncache-control: no-store\r\n"
        for (name, value) in (contentType.map { [("content-type", $0)] } ?? []) + fields {
            head += "\(Self.line(name)): \(Self.line(value))\r\n"
        }
        head += "content-length: \(count)\r\n" + (closing ? "connection: close\r\n\r\n" : "\r\n")
        return Array(head.utf8)
    }

    private var count: Int {
        switch body {
        case .plain(let bytes): bytes.count
        case .guarded(let bytes): bytes.count
        }
    }

    /// Returns a text without line ends: one in a value would add fields.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.filter { 0x20...0x7E ~= $0 }, as: UTF8.self)
    }
}
