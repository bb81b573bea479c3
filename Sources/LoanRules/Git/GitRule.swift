/// A permission of a profile for a repository: `fetch`, `push agent/*`, `update main`, `delete agent/*`.
package struct GitRule: Hashable, Sendable {
    /// The verbs of rules.
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        /// Everything may be read.
        case fetch
        /// A ref may be created.
        case push
        /// A ref that exists may be changed.
        case update
        /// A ref may be deleted.
        case delete
    }

    package let verb: Verb
    /// The refs; nil for `fetch`.
    private let refs: PathPattern?
    /// The rule as a profile has it.
    package let text: String

    /// Reads a rule as a profile has it; nil for a text that is none.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = parts.first, let verb = Verb(rawValue: String(first)) else { return nil }
        if verb == .fetch {
            guard parts.count == 1 else { return nil }
            refs = nil
        } else {
            guard parts.count == 2, let refs = Self.pattern(String(parts[1])) else { return nil }
            self.refs = refs
        }
        (self.verb, self.text) = (verb, text)
    }

    /// Returns the pattern for full names. Branches are meant, unless it begins with `tags/` or `refs/`.
    private static func pattern(_ text: String) -> PathPattern? {
        let full = text.hasPrefix("refs/") ? text : text.hasPrefix("tags/") ? "refs/\(text)" : "refs/heads/\(text)"
        // A pattern that no ref can match is a mistake.
        let example = String(
            decoding: full.utf8.map { $0 == UInt8(ascii: "*") ? UInt8(ascii: "x") : $0 }, as: UTF8.self)
        return GitRef(example) == nil ? nil : PathPattern("/\(full)")
    }

    /// The refs that may be changed, and how; nil for `fetch`.
    package var refsText: String? {
        let pattern = text.split(separator: " ").last.map(String.init)
        return switch verb {
        case .fetch: nil
        case .push: pattern
        case .update: pattern.map { "\($0) (update)" }
        case .delete: pattern.map { "\($0) (deletion)" }
        }
    }

    /// Returns true if it allows a change.
    package func allows(_ change: GitChange) -> Bool {
        let verb: Verb =
            switch change.effect {
            case .creation: .push
            case .update: .update
            case .deletion: .delete
            }
        return self.verb == verb && refs?.matches("/\(change.ref.name)") == true
    }
}
