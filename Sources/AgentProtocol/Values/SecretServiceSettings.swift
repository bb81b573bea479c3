internal import PlainText

/// The settings of the Secret Service of a desktop. They are sealed in the vault with all others, because each can make secrets
/// easier to read.
package struct SecretServiceSettings: Hashable, Sendable {
    /// True if the agent serves the vault on the bus of the session.
    package var isEnabled = false
    package var rules = SecretRules()

    /// Creates the settings of a service without rules.
    package init(isEnabled: Bool = false) { self.isEnabled = isEnabled }

    /// The object that is stored.
    package var head: Head {
        var head = Head(["enabled": .bool(isEnabled)])
        if !rules.text.isEmpty { head["rules"] = .string(rules.text) }
        return head
    }

    /// Reads what is stored, and removes it.
    package mutating func read(from head: inout Head) throws(WireError) {
        isEnabled = try head.consumeFlag("enabled")
        let text = try head.consumeTextIfPresent("rules") ?? ""
        do throws(AgentError) { rules = try SecretRules(text) } catch {
            throw .malformed("the rules of the Secret Service: \(error.message)")
        }
    }
}
