package import HTTPWire

/// One service of a profile: a secret, the server that it goes to, and the requests that may carry it.
package struct LoanService: Hashable, Sendable {
    package var name: String
    /// The name of the secret.
    package var item: String
    package var server: WireOrigin
    package var form: CredentialForm
    /// The requests that are allowed. Everything else is refused.
    package var allow: [UseRule]
    /// The repository, if the service is one. Then its rules count, and there are no others.
    package var git: GitLoan?
    /// The uses that one approval counts for.
    package var lease: LeaseTerms
    /// The variables that tell the program where the service is.
    package var variables: [LoanVariable]
    /// True if a redirect to another server is passed on. It never carries the credential.
    package var passesRedirects: Bool

    package init(
        name: String, item: String, server: WireOrigin, form: CredentialForm, allow: [UseRule],
        git: GitLoan? = nil, lease: LeaseTerms = .once, variables: [LoanVariable] = [], passesRedirects: Bool = false
    ) {
        (self.name, self.item, self.server, self.form, self.allow) = (name, item, server, form, allow)
        self.git = git
        (self.lease, self.variables, self.passesRedirects) = (lease, variables, passesRedirects)
    }

    /// The variable that has its address in the sandbox in any case: `LENT_` and the name in capitals.
    package var addressVariable: String {
        "LENT_" + String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Returns true if the profile allows a request.
    package func allows(_ method: String, _ path: String) -> Bool { allow.contains { $0.allows(method, path) } }

    private var head: String { "  \(name): uses \(item) at \(server.text)\(git?.path ?? ""), as \(form.text)" }

    var lines: [String] {
        var lines = [head] + allow.map { "    \($0.text)" } + (git?.rules ?? []).map { "    \($0.text)" }
        let uses = lease.uses.map { $0 == 1 ? "1 use" : "\($0) uses" } ?? "any number of uses"
        lines.append(
            "    one approval counts for \(uses) within \(lease.minutes == 1 ? "1 minute" : "\(lease.minutes) minutes"), if the policy of the secret allows it"
        )
        if passesRedirects { lines.append("    passes on redirects to other servers") }
        lines += variables.map { "    sets \($0.name) to \($0.value.rawValue)" }
        return lines
    }
}

/// A variable in the environment of the program.
package struct LoanVariable: Hashable, Sendable {
    /// The value of a variable.
    package enum Value: String, Hashable, Sendable, CaseIterable {
        /// The address of the service in the sandbox, such as `http://127.0.0.1:4001`.
        case url
        /// That address with `/v1`, as clients of some services want it.
        case v1 = "url/v1"
        /// The words that stand where a client wants a credential. They are worth nothing.
        case placeholder
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

    /// The variables of clients that many people use, by the word of a profile.
    package static let presets: [(word: String, variables: [LoanVariable])] = [
        ("anthropic", [.init("ANTHROPIC_BASE_URL", .url), .init("ANTHROPIC_API_KEY", .placeholder)]),
        ("openai", [.init("OPENAI_BASE_URL", .v1), .init("OPENAI_API_KEY", .placeholder)]),
    ]
}
