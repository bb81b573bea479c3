internal import AccessPolicy
internal import PlainText

/// The words of a request in a prompt at another terminal, none of them the client's.
package struct RequestPurpose: Hashable, Sendable {
    /// The purpose, for the title of the prompt.
    package var words: String
    /// True if prompts of the request show the reason that the client gives.
    package var hasReasonOfClient: Bool
    /// The changes that the request makes, and where.
    package var notes: [String]

    package init(_ words: String, hasReasonOfClient: Bool = false, _ notes: [String] = []) {
        (self.words, self.hasReasonOfClient, self.notes) = (words, hasReasonOfClient, notes)
    }

    /// The purpose of a request that changes nothing and gives no secret out.
    package static let look = RequestPurpose("look at the vault")

    /// Creates a purpose beside which prompts show the reason that the client gives.
    package static func inWordsOfClient(_ words: String, _ notes: [String] = []) -> RequestPurpose {
        RequestPurpose(words, hasReasonOfClient: true, notes)
    }
}

extension String {
    /// A line of a purpose: a label, and a text of the client.
    package static func note(_ label: String, _ text: String) -> String {
        "\(label): \(Terminal.name(text, also: "/", longest: 240))"
    }

    /// A line of a purpose about a policy.
    package static func note(_ policy: ItemPolicy) -> String { "Its new access policy: \(policy.summary)." }
}

extension ItemPolicy {
    /// The names of the accessibility class and the flags, and how often the policy asks.
    fileprivate var summary: String {
        guard isProtected else { return "\(protection.name), without authentication" }
        return "\(([protection.name] + names).joined(separator: ", ")), \(isReused ? "once per session" : "each time")"
    }
}
