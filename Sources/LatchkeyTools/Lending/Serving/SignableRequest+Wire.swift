internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LoanRules
internal import SodiumKit

extension SignableRequest {
    /// Checks a request that a client sent, as it is passed on.
    ///
    /// - Throws: ``SigningFault`` if it cannot be signed.
    init(_ use: LoanUse, _ request: CheckedRequest, in bytes: RawSpan) throws {
        let target = try [UInt8](capacity: request.head.end) { (output: inout OutputSpan<UInt8>) throws(WireRefusal) in
            try request.writeTarget(from: bytes, into: &output)
        }
        let fields = request.fields.map { SignableField(Self.text($0.name, bytes), Self.text($0.value, bytes)) }
        try self.init(
            method: use.method, path: use.path,
            query: String(decoding: target.dropFirst(request.head.path.count + 1), as: UTF8.self),
            fields: fields, hasBody: request.framing != .none && request.framing != .length(0))
    }

    private static func text(_ range: Range<Int>, _ bytes: RawSpan) -> String {
        bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension LentCredential {
    /// Creates the fields of a signed request: the signature, and what it covers beside the fields of the client.
    init(
        _ reply: SignLoanCall.Reply, token: consuming SecureBytes?, of request: SignableRequest
    ) throws(SodiumError) {
        var values = try SecureBuffer(capacity: 512)
        var fields: [OwnField] = []
        for (name, value) in [
            ("authorization", reply.authorization), (SignableRequest.timeField, reply.date),
            (SignableRequest.payloadField, request.payload),
        ] {
            fields.append(OwnField(name, values.count..<values.count + value.utf8.count))
            try values.append(value.utf8Span.span.bytes)
        }
        switch consume token {
        case .none: self.init(fields: fields, values: try values.bytes(), secret: nil)
        case .some(let token):
            fields.append(OwnField(SignableRequest.tokenField, values.count..<values.count + token.count))
            try token.withBytes { (bytes) throws(SodiumError) in try values.append(bytes) }
            self.init(fields: fields, values: try values.bytes(), secret: token)
        }
    }
}
