/// A field of a request, with its name in lowercase.
package struct SignableField: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = String(decoding: name.utf8.map { $0.lowercased }, as: UTF8.self)
        self.value = value
    }
}

/// A request that can be signed: its parts, checked so that a signature for them is one for this request and for no other.
///
/// The lender makes it of a request that a client sent, and the agent makes it again of what the lender asks to sign.
package struct SignableRequest: Hashable, Sendable {
    package let method: String
    /// The path, as it is sent.
    package let path: String
    /// The query as it is sent, without its question mark; empty if there is none.
    package let query: String
    /// The fields that are signed, beside those that the signer adds.
    package let fields: [SignableField]
    /// The SHA-256 of the body, in hexadecimal digits.
    package let payload: String

    /// The SHA-256 of no bytes.
    package static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    /// The field with the hash of the body.
    package static let payloadField = "x-amz-content-sha256"
    /// The field with the time.
    package static let timeField = "x-amz-date"
    /// The field with the token of a session.
    package static let tokenField = "x-amz-security-token"

    /// Creates a request without checks.
    package init(method: String, path: String, query: String, fields: [SignableField], payload: String) {
        (self.method, self.path, self.query, self.fields, self.payload) = (method, path, query, fields, payload)
    }

    /// Checks a request, and chooses the fields that are signed: `content-type` and those that begin with `x-amz-`. The time and the
    /// token of a client are left out.
    ///
    /// - Throws: ``SigningFault`` with the first reason against a signature.
    package init(
        method: String, path: String, query: String, fields: [SignableField], hasBody: Bool
    ) throws(SigningFault) {
        guard 1...32 ~= method.utf8.count,
            method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") }),
            path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "?") }),
            query.utf8.allSatisfy({ $0.isVisible })
        else { throw .form }
        try Self.check(query)
        var signed: [SignableField] = []
        var hash: String?
        for field in fields where Self.isSigned(field.name) {
            guard field.name.utf8.allSatisfy({ $0.isVisible }), !field.name.utf8.contains(UInt8(ascii: ":")),
                field.value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0.isVisible })
            else { throw .fieldForm }
            if field.name.hasPrefix("x-amz-copy-source") { throw .copies }
            if field.name == Self.payloadField {
                guard hash == nil else { throw .hashForm }
                hash = field.value
            } else {
                signed.append(field)
            }
        }
        payload = try Self.payload(hash, hasBody: hasBody)
        signed.append(SignableField(Self.payloadField, payload))
        (self.method, self.path, self.query, self.fields) = (method, path, query, signed)
    }

    private static func isSigned(_ name: String) -> Bool {
        name == "content-type" || name.hasPrefix("x-amz-") && name != timeField && name != tokenField
    }

    private static func payload(_ hash: String?, hasBody: Bool) throws(SigningFault) -> String {
        guard let hash else {
            if hasBody { throw .hashMissing }
            return emptyPayload
        }
        if hash.hasPrefix("STREAMING-") { throw .streaming }
        if hash == "UNSIGNED-PAYLOAD" { throw .unsigned }
        guard hash.utf8.count == 64,
            hash.utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        else { throw .hashForm }
        return hash
    }

    /// The names of a signature in a query, of this version and of the one before it.
    private static let signingNames = ["awsaccesskeyid", "signature"]

    private static func check(_ query: String) throws(SigningFault) {
        if query.utf8.contains(UInt8(ascii: "+")) { throw .plusInQuery }
        for (name, _) in CanonicalText.pairs(of: query) {
            let name = String(decoding: name.map { $0.lowercased }, as: UTF8.self)
            if name.hasPrefix("x-amz-") || signingNames.contains(name) { throw .signedQuery }
        }
    }
}

extension UInt8 {
    /// True for a character of ASCII that is no blank.
    var isVisible: Bool { 0x21...0x7E ~= self }

    /// The lowercase letter for an uppercase letter of ASCII; any other byte is unchanged.
    var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
