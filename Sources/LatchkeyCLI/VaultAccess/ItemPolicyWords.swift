internal import AccessPolicy
internal import CommandLineKit
internal import LatchkeyAgent

/// The access policy of a secret, as it is written on a command line.
enum ItemPolicyWords {
    /// Demands that have a name of their own.
    static let presets: [(name: String, policy: ItemPolicy, says: String)] = [
        ("presence", .usual, "the user's presence: a finger, or else the passcode (the default)"),
        ("open", ItemPolicy(.whenUnlockedThisDeviceOnly, []), "nothing, while the vault is unlocked"),
        ("service", ItemPolicy(.afterFirstUnlockThisDeviceOnly, []), "nothing, once the vault was unlocked"),
        ("passcode", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .devicePasscode), "the passcode, each time"),
        ("biometry", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryAny), "a finger that is enrolled"),
        (
            "current-set", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryCurrentSet),
            "a finger, and lost for good when another is enrolled or removed"
        ),
    ]

    struct Options: OptionList {
        var heading = "what it demands"
        let require = Option(
            "--require", value: "WHAT",
            says: "what has to be proved: userPresence, biometryAny, biometryCurrentSet, devicePasscode, companion, "
                + "applicationPassword, several with \"and\" or \"or\" between them, or nothing", values: .words(words),
            read: ItemPolicyWords.flags)
        let accessible = Option(
            "--accessible", value: "WHEN", kind: "time",
            says: "when it can be opened at all, such as whenUnlocked or afterFirstUnlock",
            among: Accessibility.allCases.map { ($0.name, $0) })
        let preset = Option(
            "--preset", value: "PRESET", says: presets.map { "\($0.name): \($0.says)" }.joined(separator: "; "),
            among: presets.map { ($0.name, $0.policy) })
    }

    private static let words = ["nothing"] + flags.map(\.name)
    private static let flags = AccessControlFlags.named.filter { ![.or, .and, .privateKeyUsage].contains($0.flag) }

    /// Returns the demand that the command line states; nil if it states none. A part that it leaves open is as in `present`.
    static func policy(_ given: Given<Options>, for present: ItemPolicy = .usual) throws -> ItemPolicy? {
        if given.firstOption == nil { return nil }
        // The other options may change a part of a preset.
        var policy = given[\.preset] ?? present
        if let flags = given[\.require] { policy.flags = flags }
        if let protection = given[\.accessible] { policy.protection = protection }
        _ = try policy.control()
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
                throw UsageError("--require has \"and\" or \"or\" between what it names")
            } else {
                throw UsageError(unknown: "requirement", word, among: Self.words)
            }
        }
        if words.count % 2 == 0 { throw UsageError("--require names what has to be proved, or nothing") }
        return flags
    }

    /// A demand in the words of the command line.
    static func text(_ policy: ItemPolicy) -> String {
        let names = flags.filter { policy.flags.contains($0.flag) }.map(\.name)
        let joined = names.joined(separator: policy.flags.contains(.or) ? " or " : " and ")
        return joined.isEmpty ? "nothing" : joined
    }
}
