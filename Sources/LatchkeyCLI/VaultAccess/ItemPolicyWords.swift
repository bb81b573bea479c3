internal import AccessPolicy
package import AgentProtocol
package import CommandLineKit

/// The access policy of a secret, as it is written on a command line.
package enum ItemPolicyWords {
    /// The presets that prompt each time, whatever the vault says.
    private static let eachTime: Set = ["every-time", "passcode"]

    package struct Options: OptionList {
        package var heading: String
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
            "--preset", value: "PRESET",
            says: PolicyPreset.all.map { "\($0.name): \($0.says)" }.joined(separator: "; "),
            values: .described(PolicyPreset.all.map { ($0.name, $0.says) }),
            among: PolicyPreset.all.map { ($0.name, $0) })
        let reuse = Option(
            "--reuse", value: "WORD",
            says: "yes: an authentication counts for a while in the session where you gave it; no: each use prompts",
            among: [("yes", true), ("no", false)])
        let thisDeviceOnly = Option(
            "--this-device-only", says: "never leave this device: no backup brings it to another")

        package init(heading: String = "access policy") { self.heading = heading }
    }

    private static let words = ["nothing"] + ItemPolicy.typedFlags.map(\.name)

    /// Returns the policy that the command line states; nil if it states none, for the default of the vault. What it
    /// leaves open is taken from `present`, or from the preset `presence` if that is nil.
    ///
    /// - Throws: An error if no item can have this policy.
    package static func policy(_ given: Given<Options>, for present: ItemPolicy? = nil) throws -> ItemPolicy? {
        if given.firstOption == nil { return nil }
        // Other options override parts of a preset.
        let preset = given[\.preset]
        var policy = preset?.policy ?? present ?? PolicyPreset.all[0].policy
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
            } else if !joins, let flag = ItemPolicy.typedFlags.first(where: { $0.name == word })?.flag {
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
}

extension ItemPolicy {
    /// True if a finger or a face is one of the ways to open a secret with this policy.
    package var takesFinger: Bool {
        flags.contains(.userPresence) || flags.contains(.biometryAny) || flags.contains(.biometryCurrentSet)
    }
}
