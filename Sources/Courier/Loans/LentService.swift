package import HTTPWire

/// A service that is lent: where its requests go, and which field takes the credential.
package struct LentService: Sendable {
    /// The name of the service in the profile.
    package var name: String
    /// The server.
    package var origin: WireOrigin
    /// The field of a request that takes the credential, such as `authorization` or `x-api-key`.
    package var field: String
    /// True if a redirect to another server is passed on. The client follows it without the credential.
    package var passesRedirects = false
    /// The milliseconds that the server has for the head of an answer, with all interim answers.
    package var headMilliseconds = 120_000
    /// The most bytes of the body of a request, and of an answer.
    package var bodyLimit: UInt64 = 64 << 20
    /// True if a path may contain `%2f`. The names of packages with a scope need it.
    package var allowsEncodedSlash = false
    /// Finds out which use a request is; nil if its method and path say it.
    package var reader: (any UseReader)?
    /// The clients that are served.
    package var clients = ClientRules()

    /// Creates a service with the strictest rules.
    package init(name: String, origin: WireOrigin, field: String) {
        self.name = name
        self.origin = origin
        self.field = field
    }
}
