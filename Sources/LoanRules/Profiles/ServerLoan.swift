package import HTTPWire

/// Requests to a server that carry a secret.
package struct ServerLoan: Hashable, Sendable {
    package var server: WireOrigin
    package var form: CredentialForm
    /// The requests that are allowed. Everything else is refused.
    package var allow: [UseRule]
    /// The repository, if the service is one. Then its rules count, and there are no others.
    package var git: GitLoan?
    /// True if a redirect to another server is passed on. It never carries the credential.
    package var passesRedirects: Bool

    package init(
        _ server: WireOrigin, as form: CredentialForm, allow: [UseRule], git: GitLoan? = nil,
        passesRedirects: Bool = false
    ) {
        (self.server, self.form, self.allow, self.git) = (server, form, allow, git)
        self.passesRedirects = passesRedirects
    }

    /// Returns true if the profile allows a request.
    package func allows(_ method: String, _ path: String) -> Bool { allow.contains { $0.allows(method, path) } }

    /// The server, with the path of the repository if it is one.
    package var address: String { server.text + (git?.path ?? "") }
}
