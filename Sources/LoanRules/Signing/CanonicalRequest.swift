package import HTTPWire

/// The text that is hashed for a signature. It is in two parts, because the token of a session comes between them and stays in guarded
/// memory.
package struct CanonicalRequest: Hashable, Sendable {
    /// The text up to the token, or all of it if there is none.
    package let beginning: String
    /// The text behind the token.
    package let end: String
    /// The names of the signed fields.
    package let names: String

    /// Writes a request to a server at a time. Each of a signature's fields is signed.
    package init(
        _ request: SignableRequest, to server: WireOrigin, at time: SigningTime, in scope: SigningScope,
        hasToken: Bool
    ) {
        var fields =
            request.fields + [
                SignableField("host", String(decoding: server.authority, as: UTF8.self)),
                SignableField(SignableRequest.timeField, time.text),
            ]
        if hasToken { fields.append(SignableField(SignableRequest.tokenField, "")) }
        // Fields of one name keep their order.
        let sorted = fields.enumerated().sorted { one, other in
            one.element.name == other.element.name
                ? one.offset < other.offset : CanonicalText.isBefore(one.element.name, other.element.name)
        }
        var lines: [(name: String, value: String)] = []
        for (_, field) in sorted {
            let value = CanonicalText.value(field.value)
            if let last = lines.last, last.name == field.name {
                lines[lines.count - 1].value = last.value + "," + value
            } else {
                lines.append((field.name, value))
            }
        }
        var parts = [
            "\(request.method)\n\(CanonicalText.path(request.path, keeps: scope.keepsPath))\n\(CanonicalText.query(request.query))\n"
        ]
        var names = ""
        for line in lines {
            names += (names.isEmpty ? "" : ";") + line.name
            parts[parts.count - 1] += "\(line.name):\(line.value)"
            if line.name == SignableRequest.tokenField { parts.append("") }
            parts[parts.count - 1] += "\n"
        }
        parts[parts.count - 1] += "\n\(names)\n\(request.payload)"
        (beginning, end, self.names) = (parts[0], parts.count > 1 ? parts[1] : "", names)
    }

    /// Returns the text that is signed, for the hash of a canonical request in hexadecimal digits.
    package static func textToSign(_ hash: String, at time: SigningTime, in scope: SigningScope) -> String {
        "AWS4-HMAC-SHA256\n\(time.text)\n\(scope.text(on: time.day))\n\(hash)"
    }

    /// Returns the value of the field `authorization`.
    package func authorization(
        _ signature: String, by accessKey: String, at time: SigningTime, in scope: SigningScope
    ) -> String {
        "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope.text(on: time.day)), SignedHeaders=\(names), Signature=\(signature)"
    }
}
