package import AccessPolicy
internal import PlainText

/// What a secret demands, in the words that people write: when it may be opened at all, and what has to be proved.
package struct ItemPolicy: Hashable, Sendable {
    /// When it may be opened at all.
    package var protection: Accessibility
    /// What has to be proved.
    package var flags: AccessControlFlags

    /// What is demanded where nothing is said: somebody who belongs here, on this device, while it is unlocked.
    package static let usual = ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence)

    package init(_ protection: Accessibility, _ flags: AccessControlFlags) {
        self.protection = protection
        self.flags = flags
    }

    /// What `control` demands.
    package init(_ control: AccessControl) {
        protection = control.protection
        flags = control.flags
    }

    /// The same for a vault; throws on what Apple refuses, and says which rule.
    package func control() throws(AgentError) -> AccessControl {
        do throws(InvalidFlagsError) {
            return try AccessControl(protection: protection, flags: flags)
        } catch {
            throw AgentError(.request, "\(error)", rule: error.rule.identifier)
        }
    }

    /// The names of the flags.
    package var names: [String] { AccessControlFlags.named.filter { flags.contains($0.flag) }.map(\.name) }

    /// What `head` says.
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
                    "\"require\" has only \(AccessControlFlags.named.map(\.name).joined(separator: ", "))")
            }
            flags.insert(flag)
        }
    }

    /// As it goes over the wire.
    package var head: Head {
        Head(["accessible": .string(protection.name), "require": .array(names.map { .string($0) })])
    }
}
