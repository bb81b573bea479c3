internal import HTTPWire
package import LoanRules
internal import PlainText

/// A profile of `latchkey lend` that was read, or its mistakes.
package struct LoanFile: Sendable {
    /// The path of the file, as the user names it.
    package let path: String
    /// The profile; nil if there is any mistake.
    package let profile: LoanProfile?
    /// The claims about its services.
    package let claims: [Claim]
    /// The mistakes, sorted by place.
    package let mistakes: [ScenarioError]

    /// A claim with its place.
    package struct Claim: Hashable, Sendable {
        package var claim: LoanClaim
        package var position: Position
    }

    /// Reads the file at `path`.
    ///
    /// - Parameter policies: The names of the policies that a service may ask for.
    /// - Throws: A ``ScenarioFileError`` if the file cannot be read. Mistakes inside it are in ``mistakes``.
    package init(_ path: String, policies: [String]) throws(ScenarioFileError) {
        self.init(bytes: try SourceFile.bytes(path), of: path, policies: policies)
    }

    /// Reads `bytes` as the content of a file at `path`.
    package init(bytes: [UInt8], of path: String, policies: [String]) {
        var reader = LoanReader(policies: policies)
        let documents = DocumentReader.documents(in: bytes, of: path, &reader.mistakes)
        var found: LoanProfile?
        if let document = documents.first, documents.count == 1 {
            if Format.loan.check(document, &reader.mistakes) { found = reader.profile(document) }
        } else if reader.mistakes.all.isEmpty {
            reader.mistakes.add(
                documents.dropFirst().first?.position ?? Position(file: path, line: 1, column: 1),
                "expected one profile: a mapping with the keys lend, sandbox and services")
        }
        self.path = path
        mistakes = reader.mistakes.all.sorted { $0.position < $1.position }
        profile = mistakes.isEmpty ? found : nil
        claims = mistakes.isEmpty ? reader.claims : []
    }
}

/// Reads a profile whose shape was checked.
private struct LoanReader {
    let policies: [String]
    var mistakes = ScenarioErrors()
    private(set) var claims: [LoanFile.Claim] = []

    init(policies: [String]) { self.policies = policies }

    private static let mostClaims = 100
    private static let mostServices = 32
    private static let mostRules = 100
    private static let mostReads = 100

    mutating func profile(_ document: Node) -> LoanProfile {
        let name = name(document["lend"], "borrower")
        let services = document["services"]?.entries ?? []
        if services.isEmpty { mistakes.add(document.position, "the profile lends nothing: add a service") }
        if services.count > Self.mostServices {
            mistakes.add(services[Self.mostServices].position, "a profile has at most \(Self.mostServices) services")
        }
        let sandbox = sandbox(document["sandbox"])
        let read = services.prefix(Self.mostServices).map { service($0) }
        requireOwnVariables(services, read)
        requireOnePort(services, read)
        let claims = document["claims"]?.elements ?? []
        if claims.count > Self.mostClaims {
            mistakes.add(claims[Self.mostClaims].position, "a profile has at most \(Self.mostClaims) claims")
        }
        self.claims = claims.prefix(Self.mostClaims).compactMap { claim($0, about: read) }
        return LoanProfile(name: name, sandbox: sandbox, services: read)
    }

    /// Returns a name that fits into a prompt: letters, digits, dots, hyphens and underscores.
    private mutating func name(_ node: Node?, _ kind: String) -> String {
        let text = node?.text ?? ""
        if let node, !Self.isName(text) { mistakes.add(node.position, Self.fault(kind, text)) }
        return text
    }

    private static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 < 0x80 && (Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber)
                    || "-._".utf8.contains($0)
            }
    }

    private static func fault(_ kind: String, _ text: String) -> String {
        "the name of a \(kind) has 1 to 40 letters, digits, dots, hyphens and underscores, found \"\(Terminal.word(text))\""
    }

    private mutating func sandbox(_ node: Node?) -> LoanSandbox {
        let reads = node?["read"]?.elements ?? []
        if reads.count > Self.mostReads {
            mistakes.add(reads[Self.mostReads].position, "a sandbox reads at most \(Self.mostReads) files and folders")
        }
        func path(_ node: Node) -> String {
            let text = node.text ?? ""
            if text.isEmpty || !text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) {
                mistakes.add(node.position, "expected the path of a file or folder, found \"\(Terminal.word(text))\"")
            }
            return text
        }
        return LoanSandbox(
            work: node?["work"].map { path($0) } ?? ".", reads: reads.prefix(Self.mostReads).map { path($0) })
    }

    private mutating func service(_ entry: Node.Entry) -> LoanService {
        let node = entry.value
        if !Self.isName(entry.key) { mistakes.add(entry.position, Self.fault("service", entry.key)) }
        let rules = node["allow"]?.elements ?? []
        if rules.isEmpty, let list = node["allow"] {
            mistakes.add(
                list.position, "\"allow\" is empty, so nothing could be used: add a rule such as POST /v1/messages")
        }
        if rules.count > Self.mostRules {
            mistakes.add(rules[Self.mostRules].position, "a service has at most \(Self.mostRules) rules")
        }
        return LoanService(
            name: entry.key, item: node["item"]?.text ?? "", uses(node, rules.prefix(Self.mostRules)),
            policy: policy(node["policy"]), lease: lease(node["lease"]), variables: variables(node["set"]))
    }

    private mutating func policy(_ node: Node?) -> String? {
        guard let node, let text = node.text else { return nil }
        if policies.contains(text) { return text }
        mistakes.add(node.position, Shape.unknown("policy", text, among: policies))
        return nil
    }

    private mutating func claim(_ node: Node, about services: [LoanService]) -> LoanFile.Claim? {
        let name = node["service"]?.text ?? ""
        guard let service = services.first(where: { $0.name == name }) else {
            mistakes.add(
                node["service"]?.position ?? node.position,
                Shape.unknown("service", name, among: services.map { $0.name }))
            return nil
        }
        if service.policy == nil {
            mistakes.add(
                node.position,
                "the claim depends on the policy of the secret: add it to \(name), as in \"policy: presence\"")
        }
        var statements: [LoanClaim.Statement] = []
        if let after = node["after"]?.text.flatMap({ LoanEvent(rawValue: $0) }) {
            statements.append(.never(after: after))
        }
        func number(_ key: String) -> Int? { node[key]?.text.flatMap { Int($0) } }
        if let count = number("at-most-uses") { statements.append(.atMostUses(count)) }
        if let minutes = number("ends-within") { statements.append(.endsWithin(minutes: minutes)) }
        guard let statement = statements.first, statements.count == 1, (node["never"] != nil) == (node["after"] != nil)
        else {
            mistakes.add(
                node.position,
                "a claim is one of { never: use, after: lock }, { at-most-uses: 3 } and { ends-within: 30 }, with its service"
            )
            return nil
        }
        return LoanFile.Claim(
            claim: LoanClaim(name, statement, expectsFailure: node["expect"]?.text == "fails"), position: node.position)
    }

    /// Returns the uses of a service, which one of its keys names.
    private mutating func uses(_ node: Node, _ rules: ArraySlice<Node>) -> LoanService.Uses {
        let named = LoanUseKey.allCases.filter { node[$0.rawValue] != nil }
        guard let key = named.first, named.count == 1 else {
            mistakes.add(node.position, LoanUseKey.fault(named))
            return .local(.codes)
        }
        if !key.isServer {
            for word in ["as", "allow", "redirects"] {
                if let entry = node[word] {
                    mistakes.add(
                        entry.position, "\"\(word)\" is for requests to a server, and \"\(key.rawValue)\" makes none")
                }
            }
        } else if node["allow"] == nil {
            mistakes.add(
                node.position, "\"allow\" is missing: the requests, such as \(key == .git ? "fetch" : "GET /v1/**")")
        }
        switch key {
        case .http:
            return .requests(requests(to: server(node[key.rawValue]), node, .bearer, rules.compactMap { rule($0) }))
        case .git:
            let git = node["git"].flatMap { repository($0, rules) }
            return .requests(
                requests(to: git?.server ?? Self.noServer, node, .basic(user: "x-access-token"), [], git?.loan))
        case .ssh: return node[key.rawValue].flatMap { account($0) }.map { .logins($0) } ?? .local(.signatures)
        case .otp: return .local(.codes)
        case .sign: return .local(.signatures)
        case .decrypt: return .local(.decryptions)
        case .release:
            return .local(.release(node[key.rawValue]?.text.flatMap { ReleaseForm(rawValue: $0) } ?? .text))
        }
    }

    private mutating func account(_ node: Node) -> SSHAccount? {
        let text = node.text ?? ""
        if let account = SSHAccount(text) { return account }
        mistakes.add(
            node.position,
            "expected a user and a host such as git@github.com or git@github.com:2222, found \"\(Terminal.word(text))\""
        )
        return nil
    }

    /// Reports a host that is lent at two ports. A program names the host alone.
    private mutating func requireOnePort(_ entries: [Node.Entry], _ services: [LoanService]) {
        var known: [String: UInt16] = [:]
        for (entry, service) in zip(entries, services) {
            guard let account = service.account else { continue }
            if let port = known[account.host], port != account.port {
                mistakes.add(entry.position, "\(account.host) has another port in another service: make two profiles")
            }
            known[account.host] = account.port
        }
    }

    private mutating func requests(
        to server: WireOrigin, _ node: Node, _ usual: CredentialForm, _ rules: [UseRule], _ git: GitLoan? = nil
    ) -> ServerLoan {
        ServerLoan(
            server, as: form(node["as"], usual: usual), allow: rules, git: git,
            passesRedirects: node["redirects"]?.text == "pass")
    }

    private mutating func repository(
        _ node: Node, _ rules: ArraySlice<Node>
    ) -> (server: WireOrigin, loan: GitLoan)? {
        let text = node.text ?? ""
        let allowed = rules.compactMap { gitRule($0) }
        if let (server, path) = GitLoan.address(text), let loan = GitLoan(path: path, rules: allowed) {
            return (server, loan)
        }
        mistakes.add(
            node.position,
            text.hasPrefix("http://")
                ? "a secret goes out by HTTPS alone: write https://"
                : "expected a repository such as https://github.com/alice/site.git, found \"\(Terminal.word(text))\"")
        return nil
    }

    private mutating func gitRule(_ node: Node) -> GitRule? {
        let text = node.text ?? ""
        if let rule = GitRule(text) { return rule }
        mistakes.add(
            node.position,
            "expected a rule such as fetch, push agent/*, update main, push tags/v* or delete agent/*, found \"\(Terminal.word(text))\""
        )
        return nil
    }

    private mutating func server(_ node: Node?) -> WireOrigin {
        let text = node?.text ?? ""
        if let server = WireOrigin(server: text) { return server }
        if let node {
            mistakes.add(
                node.position,
                text.hasPrefix("http://")
                    ? "a secret goes out by HTTPS alone: write https://"
                    : "expected a server such as https://api.example.com, without a path, found \"\(Terminal.word(text))\""
            )
        }
        return Self.noServer
    }

    /// Stands for a server in a profile that has mistakes.
    private static let noServer: WireOrigin = {
        guard let server = WireOrigin(.https, host: "invalid") else { preconditionFailure("this is a name") }
        return server
    }()

    private mutating func form(_ node: Node?, usual: CredentialForm) -> CredentialForm {
        guard let node, let text = node.text else { return usual }
        if let form = CredentialForm(text) { return form }
        mistakes.add(
            node.position,
            Shape.unknown(
                "form", text, among: ["bearer", "basic USER", "sigv4 SERVICE REGION"] + CredentialForm.fields))
        return .bearer
    }

    private mutating func rule(_ node: Node) -> UseRule? {
        let text = node.text ?? ""
        if let rule = UseRule(text) { return rule }
        mistakes.add(
            node.position,
            "expected a rule such as POST /v1/messages or GET /repos/** (a method in capitals or *, a blank, a path), found \"\(Terminal.word(text))\""
        )
        return nil
    }

    private func lease(_ node: Node?) -> LeaseTerms {
        guard let node else { return .once }
        func number(_ key: String) -> Int? { node[key]?.text.flatMap { Int($0) } }
        return LeaseTerms(uses: number("uses"), minutes: number("minutes"))
    }

    private mutating func variables(_ node: Node?) -> [LoanVariable] {
        guard let node else { return [] }
        if let word = Vocabulary.spelling(of: node.text ?? "", in: LoanVariable.presets.map(\.word)) {
            return LoanVariable.presets.first { $0.word == word }?.variables ?? []
        }
        return node.entries.compactMap { entry in
            if !Self.isVariable(entry.key) {
                mistakes.add(
                    entry.position,
                    "a variable of this name would change how programs run, or is none: \"\(Terminal.word(entry.key))\""
                )
            }
            return LoanVariable.Value(rawValue: entry.value.text ?? "").map { LoanVariable(entry.key, $0) }
        }
    }

    /// Returns true if a profile may set a variable: not those by which every program runs.
    private static func isVariable(_ name: String) -> Bool {
        let letters = name.utf8
        let isName =
            letters.first.map { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") } == true && letters.count <= 64
            && letters.allSatisfy {
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "_")
            }
        return isName && !["PATH", "HOME", "SHELL", "USER", "TERM", "IFS", "BASH_ENV", "ENV"].contains(name)
            && !name.hasPrefix("LD_") && !name.hasPrefix("GIT_")
    }

    /// Reports a variable that two services set.
    private mutating func requireOwnVariables(_ entries: [Node.Entry], _ services: [LoanService]) {
        // That of the tools for coding agents.
        var known: Set<String> = ["LENT_TOOLS"]
        for (entry, service) in zip(entries, services) {
            for name in [service.addressVariable] + service.variables.map({ $0.name })
            where !known.insert(name).inserted {
                mistakes.add(entry.position, "\(name) is set twice: name the service or the variable otherwise")
            }
        }
    }
}
