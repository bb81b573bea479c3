package import AccessPolicy
internal import PlainText
internal import Synchronization

/// The access policy of a secret: its accessibility class, its flags, and whether it prompts each time.
package struct ItemPolicy: Hashable, Sendable {
    package var protection: Accessibility
    package var flags: AccessControlFlags
    /// True if an authentication counts for a while in the session where the user gave it. Otherwise every read prompts.
    package var allowsReuse: Bool

    /// The policy of a secret for which you name none, in a vault without a default of its own: the user's presence each
    /// time, on this device, while it is unlocked.
    package static let usual = ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence)

    package init(_ protection: Accessibility, _ flags: AccessControlFlags, allowsReuse: Bool = false) {
        self.protection = protection
        self.flags = flags
        self.allowsReuse = allowsReuse
    }

    /// Returns the access control for a vault. Throws, with the rule, if Apple refuses this combination of flags.
    package func control() throws(AgentError) -> AccessControl {
        do throws(InvalidFlagsError) {
            return try AccessControl(protection: protection, flags: flags)
        } catch {
            throw AgentError(.request, "\(error)", rule: error.rule.identifier)
        }
    }

    /// True if reading a secret with this policy needs any authentication.
    package var isProtected: Bool { (try? control().isProtected) ?? true }

    /// True if a kept authentication can open a secret with this policy.
    package var isReused: Bool { allowsReuse && (try? control().canReuse) == true }

    package var names: [String] { AccessControlFlags.named.filter { flags.contains($0.flag) }.map(\.name) }

    /// Reads a policy from the wire. Throws if a name is unknown.
    package init(from head: inout WireObject) throws(WireError) {
        let name = try head.consumeText("accessible")
        guard let protection = Accessibility.allCases.first(where: { $0.name == name }) else {
            throw .malformed("\"accessible\" is one of \(Accessibility.allCases.map(\.name).joined(separator: ", "))")
        }
        self.protection = protection
        flags = []
        for name in try head.consumeTexts("require") {
            guard let flag = AccessControlFlags.named.first(where: { $0.name == name })?.flag else {
                throw .malformed(
                    "\"require\" may have only \(AccessControlFlags.named.map(\.name).joined(separator: ", "))")
            }
            flags.insert(flag)
        }
        allowsReuse = try head.consumeFlag("reuse")
    }

    /// The object that represents the policy on the wire.
    package var head: WireObject {
        var head = WireObject(["accessible": .string(protection.name), "require": .array(names.map { .string($0) })])
        if allowsReuse { head["reuse"] = .bool(true) }
        return head
    }

    /// The text of ``head``.
    package var text: String {
        // A list has the same few policies again and again.
        Self.texts.withLock { texts in
            if let text = texts[self] { return text }
            let text = head.text
            texts[self] = text
            return text
        }
    }

    private static let texts = Mutex<[ItemPolicy: String]>([:])
}
