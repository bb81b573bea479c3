internal import AccessPolicy
internal import CommandLineKit
internal import LatchkeyAgent

/// The access policy of a secret, as it is written on a command line.
enum ItemPolicyWords {
    /// The policies that have a name.
    static let presets: [(name: String, policy: ItemPolicy, says: String)] = [
        ("presence", .usual, "a finger, or else the passcode (the default)"),
        ("open", ItemPolicy(.whenUnlockedThisDeviceOnly, []), "nothing while unlocked"),
        ("service", ItemPolicy(.afterFirstUnlockThisDeviceOnly, []), "nothing after the first unlock"),
        ("passcode", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .devicePasscode), "the passcode"),
        ("biometry", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryAny), "a finger"),
        (
            "current-set", ItemPolicy(.whenPasscodeSetThisDeviceOnly, .biometryCurrentSet),
            "a finger of the present set; invalidated when the set changes"
        ),
    ]

    struct Options: OptionList {
        var heading = "access policy"
        let require = Option(
            "--require", value: "WHAT",
            says: "nothing, or flags with \"and\" or \"or\" between them: userPresence, biometryAny, "
                + "biometryCurrentSet, devicePasscode, companion, applicationPassword", values: .words(words),
            read: ItemPolicyWords.flags)
        let accessible = Option(
            "--accessible", value: "WHEN", kind: "time",
            says: "accessibility class, such as whenUnlocked or afterFirstUnlock",
            among: Accessibility.allCases.map { ($0.name, $0) })
        let preset = Option(
            "--preset", value: "PRESET", says: presets.map { "\($0.name): \($0.says)" }.joined(separator: "; "),
            among: presets.map { ($0.name, $0.policy) })
    }

    private static let words = ["nothing"] + flags.map(\.name)
    private static let flags = AccessControlFlags.named.filter { ![.or, .and, .privateKeyUsage].contains($0.flag) }

    /// Returns the policy that the command line states; nil if it states none. What it leaves open is taken from `present`.
    ///
    /// - Throws: An error if no item can have this policy.
    static func policy(_ given: Given<Options>, for present: ItemPolicy = .usual) throws -> ItemPolicy? {
        if given.firstOption == nil { return nil }
        // Other options override parts of a preset.
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
                throw UsageError("--require takes flags with \"and\" or \"or\" between them")
            } else {
                throw UsageError(unknown: "requirement", word, among: Self.words)
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
}
