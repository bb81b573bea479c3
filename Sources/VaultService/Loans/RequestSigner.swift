package import HTTPWire
package import LoanRules
package import SodiumKit

/// A signer of requests to a server at a time, with AWS's Signature Version 4.
package struct RequestSigner {
    private let server: WireOrigin
    private let scope: SigningScope
    private let time: SigningTime

    /// Creates a signer. Its signatures count for this server, service and region, and for some minutes.
    package init(to server: WireOrigin, in scope: SigningScope, at time: SigningTime) {
        (self.server, self.scope, self.time) = (server, scope, time)
    }

    /// Returns the value of the field `authorization`.
    ///
    /// - Parameters:
    ///   - key: The secret access key.
    ///   - identifier: The identifier of the key.
    ///   - token: The token of a session, which is signed too; no bytes if there is none.
    /// - Throws: `SodiumError` if no guarded memory is left.
    package func authorization(
        for request: SignableRequest, by key: RawSpan, called identifier: String, token: RawSpan
    ) throws(SodiumError) -> String {
        let canonical = CanonicalRequest(
            request, to: server, at: time, in: scope, hasToken: token.byteCount > 0)
        var text = try SecureBuffer(capacity: 1024)
        try text.append(canonical.beginning.utf8Span.span.bytes)
        try text.append(token)
        try text.append(canonical.end.utf8Span.span.bytes)
        let hash = text.withBytes { SHA256.hexadecimal($0) }
        let signature = try HMAC256.hexadecimal(
            CanonicalRequest.textToSign(hash, at: time, in: scope).utf8Span.span.bytes, under: try derived(from: key))
        return canonical.authorization(signature, by: identifier, at: time, in: scope)
    }

    /// Returns the key of the day, the region and the service.
    private func derived(from secret: RawSpan) throws(SodiumError) -> Key {
        var whole = try SecureBuffer(capacity: secret.byteCount + 4)
        try whole.append("AWS4".utf8Span.span.bytes)
        try whole.append(secret)
        var key = try whole.withBytes { (bytes) throws(SodiumError) in
            try HMAC256.key(time.day.utf8Span.span.bytes, under: bytes)
        }
        for step in [scope.region, scope.service, SigningScope.ending] {
            key = try key.withBytes { (bytes) throws(SodiumError) in
                try HMAC256.key(step.utf8Span.span.bytes, under: bytes)
            }
        }
        return key
    }
}
