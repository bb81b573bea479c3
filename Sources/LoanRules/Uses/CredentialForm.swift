internal import HTTPWire

/// The form in which a request carries a credential.
package enum CredentialForm: Hashable, Sendable {
    /// `Authorization: Bearer …`
    case bearer
    /// `Authorization: Basic …` of this user.
    case basic(user: String)
    /// A field of its own, in lowercase.
    case field(String)
    /// A signature of the request, with the secret as its key. The secret itself goes nowhere.
    case signature(SigningScope)

    /// The field that has it.
    package var field: String {
        switch self {
        case .bearer, .basic, .signature: "authorization"
        case .field(let name): name
        }
    }

    /// Reads a form as a profile has it: `bearer`, `basic USER`, `sigv4 SERVICE REGION`, or the name of a field such as `x-api-key`.
    /// Nil for a text that is none.
    package init?(_ text: String) {
        if text == "bearer" {
            self = .bearer
        } else if text.hasPrefix("basic ") {
            let user = String(text.dropFirst(6))
            // A colon would end the user's name early.
            guard !user.isEmpty, user.utf8.count <= 128,
                user.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") })
            else { return nil }
            self = .basic(user: user)
        } else if text.hasPrefix("sigv4 ") {
            guard let scope = SigningScope(String(text.dropFirst(6))) else { return nil }
            self = .signature(scope)
        } else if Self.fields.contains(text) {
            self = .field(text)
        } else {
            return nil
        }
    }

    /// The fields that a credential can be in: those that are taken out of every request first.
    package static let fields = KnownField.allCases.filter {
        $0.use(.request) == .credential && ![.authorization, .cookie, .cookie2, .xAmzSecurityToken].contains($0)
    }.map { "\($0.name)" }

    /// The form as a profile has it.
    package var text: String {
        switch self {
        case .bearer: "bearer"
        case .basic(let user): "basic \(user)"
        case .field(let name): name
        case .signature(let scope): "sigv4 \(scope.text)"
        }
    }

    /// The service and region of its signatures; nil if it carries the secret itself.
    package var scope: SigningScope? {
        switch self {
        case .bearer, .basic, .field: nil
        case .signature(let scope): scope
        }
    }
}
