/// The reason for which a request is not signed.
package enum SigningFault: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The parts are no request.
    case form
    /// The query has a signature or a key of its own.
    case signedQuery
    /// The query has a plus sign, which services read in two ways.
    case plusInQuery
    /// The body is signed in parts, with the key of the client.
    case streaming
    /// The body is not signed.
    case unsigned
    /// A body has no hash.
    case hashMissing
    /// The hash is no SHA-256.
    case hashForm
    /// The request copies another object than the one in its path.
    case copies
    /// A field that has to be signed is no line of ASCII.
    case fieldForm

    /// The reason, and what to do.
    package var description: String {
        switch self {
        case .form: "the request cannot be signed, because its parts are malformed"
        case .signedQuery:
            "the query has a signature or a key of its own: send the request without it, and it is signed here"
        case .plusInQuery: "the query has a plus sign: write a blank as %20, and a plus sign as %2B"
        case .streaming:
            "the body is signed in parts, which nothing here can sign again: set AWS_REQUEST_CHECKSUM_CALCULATION=when_required, or send the body whole with x-amz-content-sha256"
        case .unsigned: "the body is not signed: send its SHA-256 in x-amz-content-sha256 instead of UNSIGNED-PAYLOAD"
        case .hashMissing: "the body has no hash: send its SHA-256 in x-amz-content-sha256"
        case .hashForm: "x-amz-content-sha256 stands there once, with 64 hexadecimal digits in lowercase"
        case .copies: "the request copies another object than the one in its path, which no rule can allow"
        case .fieldForm: "content-type and the fields that begin with x-amz- have to be of plain ASCII"
        }
    }
}
