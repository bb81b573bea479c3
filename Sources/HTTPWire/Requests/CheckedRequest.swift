/// A request that satisfies ``RequestRules``, as ranges of the buffer that was read. Only the rules create one.
package struct CheckedRequest: Hashable, Sendable {
    /// The head that was checked.
    package let head: RequestHead
    /// The fields that are passed on, in their order.
    package let fields: [FieldLine]
    /// The fields with credentials of the client. They are left out; compare a placeholder with them.
    package let credentials: [FieldLine]
    /// The length of the body.
    package let framing: BodyFraming
    /// True if the client waits for ``WireRefusal/continueAnswer`` before it sends the body.
    package let expectsContinue: Bool
    /// True if the client closes the connection behind this request.
    package let closes: Bool

    init(
        head: RequestHead, fields: [FieldLine], credentials: [FieldLine], framing: BodyFraming, expectsContinue: Bool,
        closes: Bool
    ) {
        self.head = head
        self.fields = fields
        self.credentials = credentials
        self.framing = framing
        self.expectsContinue = expectsContinue
        self.closes = closes
    }
}

/// A field that the proxy adds to a request, such as the credential.
///
/// Its value is a range of memory that the caller owns and wipes.
package struct OwnField: Hashable, Sendable {
    /// The name, such as `authorization`.
    package let name: String
    /// The place of the value in the caller's memory.
    package let value: Range<Int>

    /// Creates a field.
    package init(_ name: String, _ value: Range<Int>) {
        self.name = name
        self.value = value
    }
}
