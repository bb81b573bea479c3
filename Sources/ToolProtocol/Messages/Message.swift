internal import PlainText

/// The limits of messages.
package enum MessageLimits: Sendable {
    /// The most bytes of one.
    package static let bytes = 65_536
    /// The deepest nesting. Clients describe themselves in nested objects.
    static let depth = 24
    /// The most bytes of the name that a client gives to a request.
    static let id = 128
    /// The most messages in an array of messages.
    static let batch = 16
}

/// A request of a client.
struct Request: Sendable {
    /// The text or the whole number by which the client knows its answer.
    let id: JSON
    let method: String
    let parameters: [String: JSON]

    /// The data about the request that it carries itself; nil without.
    let meta: [String: JSON]?
}

/// One message of a client.
enum Message: Sendable {
    case request(Request)
    /// A message that is never answered.
    case notification(method: String, parameters: [String: JSON])
    /// An answer. This server asks nothing, so it is of no use.
    case response
    /// A message that is none of these, with the id of its answer.
    case wrong(Fault, id: JSON)

    /// Reads the value of a message.
    init(_ value: JSON) {
        guard let members = value.members else {
            self = .wrong(Fault(.invalidRequest, "A message is one JSON object."), id: .null)
            return
        }
        // An answer that is wrong is not answered either: two servers would go on for ever.
        if members["method"] == nil, members["result"] != nil || members["error"] != nil {
            self = .response
            return
        }
        let id = members["id"]
        if let id, !Self.isID(id) {
            self = .wrong(
                Fault(.invalidRequest, "An id is a text or a whole number of at most \(MessageLimits.id) bytes."),
                id: .null)
            return
        }
        do throws(Fault) {
            self = try Self.read(members, id)
        } catch {
            self = .wrong(error, id: id ?? .null)
        }
    }

    private static func read(_ members: [String: JSON], _ id: JSON?) throws(Fault) -> Message {
        guard members["jsonrpc"] == .string("2.0") else {
            throw Fault(.invalidRequest, "A message has the member jsonrpc with the text 2.0.")
        }
        guard let method = members["method"]?.asText else {
            throw Fault(.invalidRequest, "A message has the member method with a text.")
        }
        let value = members["params"] ?? .object([:])
        guard let id else { return .notification(method: method, parameters: value.members ?? [:]) }
        guard let parameters = value.members else { throw Fault(.invalidParameters, "params is an object.") }
        let meta = parameters["_meta"]
        if let meta, meta.members == nil { throw Fault(.invalidParameters, "params._meta is an object.") }
        return .request(Request(id: id, method: method, parameters: parameters, meta: meta?.members))
    }

    private static func isID(_ value: JSON) -> Bool {
        switch value {
        case .string(let text): text.utf8.count <= MessageLimits.id
        case .number(let digits):
            digits.utf8.count <= MessageLimits.id
                && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") }
        case .null, .bool, .array, .object: false
        }
    }
}

/// The bytes of a client, as messages.
enum Incoming: Sendable {
    case one(Message)
    case batch([Message])

    /// Reads bytes. Only some versions have batches.
    init(_ bytes: [UInt8], hasBatches: Bool) {
        guard bytes.count <= MessageLimits.bytes else {
            self = .wrong(.invalidRequest, "A message has at most \(MessageLimits.bytes) bytes.")
            return
        }
        let value: JSON
        do throws(JSON.SyntaxError) {
            value = try JSON(bytes, deepest: MessageLimits.depth)
        } catch {
            self = .wrong(.notJSON, "Not JSON at byte \(error.position): \(error.what).")
            return
        }
        guard case .array(let values) = value else {
            self = .one(Message(value))
            return
        }
        guard hasBatches else {
            self = .wrong(.invalidRequest, "This version has no batches. Send one message at a time.")
            return
        }
        guard 1...MessageLimits.batch ~= values.count else {
            self = .wrong(.invalidRequest, "A batch has 1 to \(MessageLimits.batch) messages.")
            return
        }
        self = .batch(values.map { Message($0) })
    }

    private static func wrong(_ kind: Fault.Kind, _ message: String) -> Incoming {
        .one(.wrong(Fault(kind, message), id: .null))
    }
}
