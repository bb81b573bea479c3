/// A kind of request that a profile allows: `POST /v1/messages`.
package struct UseRule: Hashable, Sendable {
    /// The method in capitals, or `*` for every method that is passed on.
    package let method: String
    package let path: PathPattern

    /// Reads a rule as a profile has it; nil for a text that is none.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let path = PathPattern(String(parts[1])), Self.isMethod(parts[0]) else { return nil }
        (method, self.path) = (String(parts[0]), path)
    }

    private static func isMethod(_ word: Substring) -> Bool {
        word == "*"
            || !word.isEmpty && word.utf8.count <= 20
                && word.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    /// The rule as a profile has it.
    package var text: String { "\(method) \(path.text)" }

    /// Returns true if it allows a request.
    package func allows(_ method: String, _ path: String) -> Bool {
        (self.method == "*" || self.method == method) && self.path.matches(path)
    }
}
