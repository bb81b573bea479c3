package import HTTPWire
package import SodiumKit

/// A use of a loan: one request, or one of several that belong together. The query is left out, because it may hold secrets of the
/// client.
package struct LoanUse: Hashable, Sendable {
    /// The place of a request among those that belong together.
    package enum Part: Hashable, Sendable {
        case alone
        /// Others may follow that are no use of their own.
        case first
        /// It belongs to a first one. Any number of such requests may.
        case following
        /// It belongs to a first one, and ends what belongs together.
        case last
    }

    /// The method, such as `POST`, or a verb in lowercase.
    package var method: String
    /// The path, as the client wrote it, or that of what the verb is for.
    package var path: String
    /// The refs that are changed, for a push.
    package var refs: [String]
    package var part: Part
    /// The program that asks, as it calls itself; nil if that is not known.
    package var program: String?

    /// Creates a use.
    package init(method: String, path: String, refs: [String] = [], part: Part = .alone) {
        (self.method, self.path, self.refs, self.part) = (method, path, refs, part)
    }
}

/// The credential of one use, in guarded memory.
package struct LentCredential: ~Copyable, Sendable {
    /// The fields that it is in; nil if it is in the field of the service alone.
    let fields: [OwnField]?
    /// The memory with the values of the fields, such as `Bearer` with a token.
    let values: SecureBytes
    /// The secret in it. Answers are searched for it, and for the value of a single field. Nil if the server may send back everything.
    let secret: SecureBytes?

    /// Creates a credential that is in the field of the service: its whole value, and the secret in that.
    package init(value: consuming SecureBytes, secret: consuming SecureBytes) {
        fields = nil
        values = value
        self.secret = .some(secret)
    }

    /// Creates a credential of several fields, whose values are ranges of `values`. A request has them in place of fields of the same
    /// names.
    ///
    /// - Parameter secret: The secret in them, which answers are searched for. Nil if there is none, as in a signature.
    package init(fields: [OwnField], values: consuming SecureBytes, secret: consuming SecureBytes?) {
        self.fields = fields
        self.values = values
        self.secret = secret
    }
}

/// The refusal of a use. The client gets its message, so a message contains no secret.
package struct LoanRefusal: Error, Hashable, Sendable {
    /// The reason.
    package enum Kind: Hashable, Sendable {
        /// The rules of the loan do not have this use.
        case notAllowed
        /// The owner refused, or did not answer.
        case notGranted
        /// The loan has ended.
        case ended
        /// The keeper cannot decide, or cannot read the secret.
        case failed
    }

    /// The reason.
    package var kind: Kind
    /// A sentence for the client: what happened, and what to do.
    package var message: String

    /// Creates a refusal.
    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// Decides about each use, counts it, and has the secret. A courier calls it from the threads of its connections.
///
/// After a credential, the courier calls exactly one of ``sent(_:status:bytes:)`` and ``notSent(_:)``.
package protocol LoanKeeper: AnyObject, Sendable {
    /// Counts a use and returns its credential. This may take minutes, if the owner has to answer a prompt.
    ///
    /// - Parameters:
    ///   - request: The whole request, for a credential that is computed from it.
    ///   - bytes: The bytes of its head.
    func credential(for use: LoanUse, of request: CheckedRequest, in bytes: RawSpan) throws(LoanRefusal)
        -> LentCredential
    /// Notes the end of an exchange.
    ///
    /// - Parameters:
    ///   - status: The status that the client got; nil if the exchange broke.
    ///   - bytes: The bytes of the answer's body that the server sent.
    func sent(_ use: LoanUse, status: UInt16?, bytes: UInt64)
    /// Notes that no byte of the request left, so that the use may be given back.
    func notSent(_ use: LoanUse)
    /// Notes that the answer contained the credential. The client got stars in its place.
    func echoed(_ use: LoanUse)
}
