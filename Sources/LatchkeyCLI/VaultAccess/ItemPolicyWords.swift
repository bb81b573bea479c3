internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyAgent

/// The access policy of a secret, as it is written on a command line.
enum ItemPolicyWords {
    static let presets: [(name: String, policy: ItemPolicy, says: String)] = [
        (
            "presence", ItemPolicy(.whenUnlocked, .userPresence, allowsReuse: true),
            "a finger, or else the passcode, once per session"
        ),
        ("every-time", ItemPolicy(.whenUnlocked, .userPresence), "a finger, or else the passcode, each time"),
        ("open", ItemPolicy(.whenUnlocked, []), "nothing while unlocked"),
        ("service", ItemPolicy(.afterFirstUnlock, []), "nothing after the first unlock"),
        ("passcode", ItemPolicy(.whenUnlocked, .devicePasscode), "the passcode, each time"),
        ("biometry", ItemPolicy(.whenUnlocked, .biometryAny, allowsReuse: true), "a finger, once per session"),
        (
            "current-set", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryCurrentSet),
            "a finger of the present set; invalidated when the set changes"
        ),
    ]

    /// The presets that prompt each time, whatever the vault says.
    private static let eachTime: Set = ["every-time", "passcode"]

    struct Options: OptionList {
        var heading = "access policy"
        let require = Option(
            "--require", value: "WHAT",
            says: "nothing, or flags with \"and\" or \"or\" between them: userPresence, biometryAny, "
                + "biometryCurrentSet, devicePasscode, companion, applicationPassword", values: .words(words),
            read: ItemPolicyWords.flags)
        let accessible = Option(
            "--accessible", value: "WHEN", kind: "accessibility class",
            says: "accessibility class, such as whenUnlocked or afterFirstUnlock",
            among: Accessibility.allCases.map { ($0.name, $0) })
        let preset = Option(
            "--preset", value: "PRESET", says: presets.map { "\($0.name): \($0.says)" }.joined(separator: "; "),
            values: .described(presets.map { ($0.name, $0.says) }), among: presets.map { ($0.name, $0.name) })
        let reuse = Option(
            "--reuse", value: "WORD",
            says: "yes: an authentication counts for a while in the session where you gave it; no: each use prompts",
            among: [("yes", true), ("no", false)])
        let thisDeviceOnly = Option(
            "--this-device-only", says: "never leave this device: no backup brings it to another")
    }

    private static let words = ["nothing"] + flags.map(\.name)
    private static let flags = AccessControlFlags.named.filter { ![.or, .and, .privateKeyUsage].contains($0.flag) }

    /// Returns the policy that the command line states; nil if it states none, for the default of the vault. What it
    /// leaves open is taken from `present`, or from the preset `presence` if that is nil.
    ///
    /// - Throws: An error if no item can have this policy.
    static func policy(_ given: Given<Options>, for present: ItemPolicy? = nil) throws -> ItemPolicy? {
        if given.firstOption == nil { return nil }
        // Other options override parts of a preset.
        let preset = given[\.preset].flatMap { name in presets.first { $0.name == name } }
        var policy = preset?.policy ?? present ?? presets[0].policy
        if let flags = given[\.require] {
            policy.flags = flags
            if preset == nil && present == nil { policy.allowsReuse = false }
        }
        if let protection = given[\.accessible] { policy.protection = protection }
        if given[\.thisDeviceOnly] { policy.protection = policy.protection.onThisDeviceOnly }
        if let reuse = given[\.reuse] {
            if reuse, let preset, eachTime.contains(preset.name) {
                throw UsageError("--preset \(preset.name) prompts each time, so it goes without --reuse yes")
            }
            policy.allowsReuse = reuse
        }
        let control = try policy.control()
        if policy.allowsReuse && control.needsApplicationPassword {
            throw UsageError("an application password is for one secret, so it goes without --reuse yes")
        }
        return policy
    }

    @Sendable private static func flags(_ text: String) throws(UsageError) -> AccessControlFlags {
        var flags: AccessControlFlags = []
        if text == "nothing" { return flags }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        for (place, word) in words.enumerated() {
            let joins = place % 2 == 1
            if joins, word == "or" || word == "and" {
                flags.insert(word == "or" ? .or : .and)
            } else if !joins, let flag = Self.flags.first(where: { $0.name == word })?.flag {
                flags.insert(flag)
            } else if joins {
                throw UsageError("--require takes flags with \"and\" or \"or\" between them")
            } else {
                throw UsageError(unknown: "flag", word, among: Self.words)
            }
        }
        if words.count % 2 == 0 { throw UsageError("--require takes flags such as biometryAny, or nothing") }
        return flags
    }

    /// Returns the flags of a policy as `--require` takes them.
    static func text(_ policy: ItemPolicy) -> String {
        let names = flags.filter { policy.flags.contains($0.flag) }.map(\.name)
        let joined = names.joined(separator: policy.flags.contains(.or) ? " or " : " and ")
        return joined.isEmpty ? "nothing" : joined
    }

    /// Returns when a secret with this policy prompts, to follow a word of success. `isReused` is true if an authentication counts
    /// for it in this vault.
    static func prompting(_ policy: ItemPolicy, isReused: Bool) -> String {
        guard let control = try? policy.control(), control.isProtected else {
            switch policy.protection.keyClass {
            case .whenPasscodeSet, .whenUnlocked: return "opens while the vault is unlocked"
            case .afterFirstUnlock: return "opens from the first unlock on"
            case .always: return "opens at any time"
            }
        }
        return isReused ? "asks once per session" : "asks each time"
    }

    /// Returns the name of a policy; its flags and its accessibility class if it has no name.
    static func name(of policy: ItemPolicy) -> String {
        presets.first { $0.policy == policy }?.name ?? "\(text(policy)), \(policy.protection.name)"
    }
}

extension ItemPolicy {
    /// True if a finger or a face is one of the ways to open a secret with this policy.
    var takesFinger: Bool {
        flags.contains(.userPresence) || flags.contains(.biometryAny) || flags.contains(.biometryCurrentSet)
    }
}
