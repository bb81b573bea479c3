package import AccessPolicy
internal import PlainText

/// The access policy of a secret: its accessibility class and its flags.
package struct ItemPolicy: Hashable, Sendable {
    /// The accessibility class.
    package var protection: Accessibility
    /// The flags.
    package var flags: AccessControlFlags

    /// The policy of a secret for which you name none: the user's presence, on this device, while it is unlocked.
    package static let usual = ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence)

    /// Creates a policy.
    package init(_ protection: Accessibility, _ flags: AccessControlFlags) {
        self.protection = protection
        self.flags = flags
    }

    /// Creates the policy of `control`.
    package init(_ control: AccessControl) {
        protection = control.protection
        flags = control.flags
    }

    /// Returns the access control for a vault. Throws, with the rule, if Apple refuses this combination of flags.
    package func control() throws(AgentError) -> AccessControl {
        do throws(InvalidFlagsError) {
            return try AccessControl(protection: protection, flags: flags)
        } catch {
            throw AgentError(.request, "\(error)", rule: error.rule.identifier)
        }
    }

    /// The names of the flags.
    package var names: [String] { AccessControlFlags.named.filter { flags.contains($0.flag) }.map(\.name) }

    /// Reads a policy from the wire. Throws if a name is unknown.
    package init(from head: inout Head) throws(WireError) {
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
    }

    /// The object that represents the policy on the wire.
    package var head: Head {
        Head(["accessible": .string(protection.name), "require": .array(names.map { .string($0) })])
    }
}
