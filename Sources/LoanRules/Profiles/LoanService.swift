/// One service of a profile: a secret, and the uses of it that are lent.
package struct LoanService: Hashable, Sendable {
    /// The uses that are lent.
    package enum Uses: Hashable, Sendable {
        /// Requests to a server.
        case requests(ServerLoan)
        /// Logins by SSH as a user at a host.
        case logins(SSHAccount)
        /// Uses that are answered in the sandbox.
        case local(LocalUse)
    }

    package var name: String
    /// The name of the secret.
    package var item: String
    package var uses: Uses
    /// The name of the policy that the secret must have; nil for any.
    package var policy: String?
    /// The uses that one approval counts for.
    package var lease: LeaseTerms
    /// The variables that tell the program where the service is.
    package var variables: [LoanVariable]

    package init(
        name: String, item: String, _ uses: Uses, policy: String? = nil, lease: LeaseTerms = .once,
        variables: [LoanVariable] = []
    ) {
        (self.name, self.item, self.uses, self.policy) = (name, item, uses, policy)
        (self.lease, self.variables) = (lease, variables)
    }

    /// The variable that has its address in the sandbox in any case: `LENT_` and the name in capitals.
    package var addressVariable: String {
        "LENT_" + String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// The purpose that the secret has to be allowed for.
    package var target: LoanTarget {
        switch uses {
        case .requests(let loan): .server(loan.server)
        case .logins(let account): .logins(account)
        case .local(.codes): .codes
        case .local(.signatures): .signatures
        case .local(.decryptions): .decryptions
        case .local(.release): .value
        }
    }

    /// The form of the secret that is given out; nil if none is.
    package var release: ReleaseForm? { if case .local(.release(let form)) = uses { form } else { nil } }

    /// The user and the host of logins that are lent; nil if none are.
    package var account: SSHAccount? { if case .logins(let account) = uses { account } else { nil } }

    /// The service and region of the signatures of requests that are lent; nil if there are none.
    package var scope: SigningScope? { if case .requests(let loan) = uses { loan.form.scope } else { nil } }

    /// The path of its address: that of a repository, or empty.
    package var path: String { if case .requests(let loan) = uses { loan.git?.path ?? "" } else { "" } }

    /// The words for the address: `https://api.example.com with work/api`.
    package var words: String {
        switch uses {
        case .requests(let loan): "\(loan.address) with \(item)"
        case .logins(let account): "logins to \(account.knownName) as \(account.user) with \(item)"
        case .local(.codes): "one-time codes of \(item)"
        case .local(.signatures): "signatures with \(item)"
        case .local(.decryptions): "decryptions with \(item)"
        case .local(.release): "\(item) ITSELF, which the program can keep"
        }
    }

    /// The rules for its requests; none for uses that are answered in the sandbox.
    package var rules: [String] {
        guard case .requests(let loan) = uses else { return [] }
        return loan.allow.map { $0.text } + (loan.git?.rules ?? []).map { $0.text }
    }

    /// True if uses can be approved before they are made: those of a secret, and not those of a key.
    package var isAskedAhead: Bool {
        switch uses {
        case .requests(let loan): loan.form.scope == nil
        case .local(.codes), .local(.release): true
        case .local(.signatures), .local(.decryptions), .logins: false
        }
    }

    var lines: [String] {
        var lines = heads
        let count = lease.uses.map { $0 == 1 ? "1 use" : "\($0) uses" } ?? "any number of uses"
        lines.append(
            "    one approval counts for \(count) within \(lease.minutes == 1 ? "1 minute" : "\(lease.minutes) minutes"), if the policy of the secret allows it"
        )
        if case .requests(let loan) = uses, loan.passesRedirects {
            lines.append("    passes on redirects to other servers")
        }
        if let policy { lines.append("    expects the policy \(policy)") }
        lines += variables.map { "    sets \($0.name) to \($0.value.rawValue)" }
        return lines
    }

    /// The lines that say what is lent.
    private var heads: [String] {
        switch uses {
        case .requests(let loan):
            ["  \(name): uses \(item) at \(loan.address), as \(loan.form.text)"] + loan.allow.map { "    \($0.text)" }
                + (loan.git?.rules ?? []).map { "    \($0.text)" }
        case .logins(let account):
            ["  \(name): logs in to \(account.knownName) as \(account.user) with \(item), and connects to that host"]
        case .local(.codes): ["  \(name): gives one-time codes of \(item)"]
        case .local(.signatures): ["  \(name): signs with \(item)"]
        case .local(.decryptions): ["  \(name): decrypts with \(item)"]
        case .local(.release(let form)): ["  \(name): GIVES OUT \(item) itself, as \(form.rawValue)"]
        }
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
