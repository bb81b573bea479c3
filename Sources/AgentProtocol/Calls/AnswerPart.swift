package import PlainText

/// A value of a long answer. It goes ahead of the reply, with others in a frame.
package protocol AnswerPart: Sendable {
    /// The value in JSON.
    var text: String { get }
    /// Reads the value.
    init(json: JSON) throws(WireError)
}

/// A value of a long answer that is an object on the wire.
package protocol ObjectPart: AnswerPart {
    var head: WireObject { get }
    init(reading head: inout WireObject) throws(WireError)
}

extension ObjectPart {
    package var text: String { head.text }

    package init(json: JSON) throws(WireError) {
        guard var head = WireObject(json) else { throw .malformed("a long answer has objects") }
        self = try Self(reading: &head)
    }
}

extension Entry: ObjectPart {}
extension DeletedEntry: ObjectPart {}
extension KeyEntry: ObjectPart {}
extension SSHKeyEntry: ObjectPart {}
extension EncryptedFolderReport: ObjectPart {}
extension LoanEntry: ObjectPart {}
extension LogRecord: ObjectPart {}

extension String: AnswerPart {
    package var text: String { JSON.quoted(self) }

    package init(json: JSON) throws(WireError) {
        guard case .string(let text) = json else { throw .malformed("a long answer has texts") }
        self = text
    }
}

/// The values of the long answer to a request that has none.
package struct NoPart: AnswerPart {
    package var text: String { "null" }

    package init(json: JSON) {}
}
