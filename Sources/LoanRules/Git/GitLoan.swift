package import HTTPWire

/// The repository of a service, and what may be done with it.
package struct GitLoan: Hashable, Sendable {
    /// The path of the repository at its server, such as `/alice/site.git`.
    package let path: String
    /// The rules. Everything else is refused.
    package var rules: [GitRule]

    /// Creates a loan; nil for a path that names no repository.
    package init?(path: String, rules: [GitRule]) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard path.utf8.count <= 500, parts.count > 1, parts[0].isEmpty,
            parts.dropFirst().allSatisfy({
                !$0.isEmpty && $0.first != UInt8(ascii: ".") && $0.allSatisfy(Self.isLetter)
            })
        else { return nil }
        (self.path, self.rules) = (path, rules)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~".utf8.contains(byte)
    }

    /// Reads the address of a repository, `https://github.com/alice/site.git`; nil for a text that is none.
    package static func address(_ text: String) -> (server: WireOrigin, path: String)? {
        let scheme = "https://"
        guard text.hasPrefix(scheme), let slash = text.dropFirst(scheme.utf8.count).firstIndex(of: "/"),
            let server = WireOrigin(server: String(text[..<slash]))
        else { return nil }
        let path = String(text[slash...].last == "/" ? text[slash...].dropLast() : text[slash...])
        return GitLoan(path: path, rules: []).map { (server, $0.path) }
    }

    /// True if anything may be changed.
    private var pushes: Bool { rules.contains { $0.verb != .fetch } }
    private var fetches: Bool { rules.contains { $0.verb == .fetch } }

    /// The refs that may be changed, and how, as a prompt has them.
    package var refs: [String] { rules.compactMap { $0.refsText } }

    /// A request of git.
    package enum Request: Hashable, Sendable {
        /// The list of refs that begins a fetch.
        case beginsFetch
        /// The wishes of a fetch, and the pack that answers them.
        case fetch
        /// The list of refs that begins a push.
        case beginsPush
        /// The commands of a push, and the pack.
        case push
    }

    /// Returns the request of git that a request of HTTP is; nil if it is none, or one that no rule allows.
    package func request(_ method: String, _ path: String, query: String?) -> Request? {
        guard path.hasPrefix(self.path) else { return nil }
        let found: Request
        switch (method, String(path.dropFirst(self.path.count)), query) {
        case ("GET", "/info/refs", "service=git-upload-pack"): found = .beginsFetch
        case ("GET", "/info/refs", "service=git-receive-pack"): found = .beginsPush
        case ("POST", "/git-upload-pack", nil): found = .fetch
        case ("POST", "/git-receive-pack", nil): found = .push
        default: return nil
        }
        switch found {
        case .beginsFetch, .fetch: return fetches ? found : nil
        case .beginsPush, .push: return pushes ? found : nil
        }
    }

    /// Returns the first change of a push that no rule allows.
    package func refused(_ push: GitPush) -> GitChange? {
        push.changes.first { change in !rules.contains { $0.allows(change) } }
    }

    /// The ways in which programs write the address of the repository, with `.git` and without, for git to find it here.
    package func addresses(at server: WireOrigin) -> [String] {
        let address = server.text + path
        let short = path.hasSuffix(".git") ? String(address.dropLast(4)) : address
        return [short, "\(short).git"]
    }
}
