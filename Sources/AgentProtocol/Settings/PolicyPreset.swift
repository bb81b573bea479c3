package import AccessPolicy

/// An access policy that has a name on command lines.
package struct PolicyPreset: Sendable {
    package let name: String
    package let policy: ItemPolicy
    /// A phrase on how a secret with the policy opens.
    package let says: String

    /// Returns the policy of the preset with this name; nil if there is none.
    package static func policy(named name: String?) -> ItemPolicy? { all.first { $0.name == name }?.policy }

    private init(_ name: String, _ policy: ItemPolicy, _ says: String) {
        (self.name, self.policy, self.says) = (name, policy, says)
    }

    package static let all = [
        PolicyPreset(
            "presence", ItemPolicy(.whenUnlocked, .userPresence, allowsReuse: true),
            "a finger, or else the passcode, once per session"),
        PolicyPreset(
            "every-time", ItemPolicy(.whenUnlocked, .userPresence), "a finger, or else the passcode, each time"),
        PolicyPreset("open", ItemPolicy(.whenUnlocked, []), "nothing while unlocked"),
        PolicyPreset("service", ItemPolicy(.afterFirstUnlock, []), "nothing after the first unlock"),
        PolicyPreset("passcode", ItemPolicy(.whenUnlocked, .devicePasscode), "the passcode, each time"),
        PolicyPreset(
            "biometry", ItemPolicy(.whenUnlocked, .biometryAny, allowsReuse: true), "a finger, once per session"),
        PolicyPreset(
            "current-set", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryCurrentSet),
            "a finger of the present set; invalidated when the set changes"),
    ]
}

extension ItemPolicy {
    /// The flags that a command line can name.
    package static let typedFlags: [(flag: AccessControlFlags, name: String)] = AccessControlFlags.named.filter {
        ![.or, .and, .privateKeyUsage].contains($0.flag)
    }

    /// The flags as `--require` takes them.
    package var flagWords: String {
        let names = Self.typedFlags.filter { flags.contains($0.flag) }.map(\.name)
        let joined = names.joined(separator: flags.contains(.or) ? " or " : " and ")
        return joined.isEmpty ? "nothing" : joined
    }

    /// The name of the preset; the flags and the accessibility class if it is none.
    package var title: String {
        PolicyPreset.all.first { $0.policy == self }?.name ?? "\(flagWords), \(protection.name)"
    }
}
