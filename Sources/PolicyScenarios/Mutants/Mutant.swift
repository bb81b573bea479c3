package import AccessPolicy

/// An access policy that differs from another in a single point.
package struct Mutant: Hashable, Sendable {
    /// The changed policy.
    package let control: AccessControl
    /// The effect of the change as a verb phrase, such as "also accepts the passcode".
    package let words: String

    /// Returns every policy that differs from `control` in one flag, in the operator or in the accessibility class,
    /// each once.
    package static func all(of control: AccessControl) -> [Mutant] {
        var mutants: [Mutant] = []
        var known: Set = [control]
        func add(_ other: AccessControl?, _ words: String) {
            if let other, known.insert(other).inserted { mutants.append(Mutant(control: other, words: words)) }
        }
        for (other, words) in withOtherFlags(control) { add(other, words) }
        if control.flags.isEmpty {
            let bare = try? AccessControl(protection: control.protection, flags: [])
            add(
                control.hasFlags ? AccessControl(control.protection) : bare,
                control.hasFlags ? "has no access control" : "has an access control without flags")
        }
        for protection in Accessibility.allCases {
            let other =
                control.hasFlags
                ? try? AccessControl(protection: protection, flags: control.flags) : AccessControl(protection)
            add(other, "is \(protection.name) instead of \(control.protection.name)")
        }
        return mutants
    }

    private static func withOtherFlags(_ control: AccessControl) -> [(AccessControl?, String)] {
        var others: [(AccessControl?, String)] = []
        func other(_ flags: AccessControlFlags) -> AccessControl? {
            try? AccessControl(protection: control.protection, flags: flags)
        }
        let flags = control.flags
        let factors = AccessControlFlags.factors.filter { flags.contains($0.flag) }
        let isAny = flags.contains(.or)
        let joined = flags.subtracting([.or, .and])

        if flags.isSuperset(of: [.or]) {
            others.append((other(joined.union(.and)), "demands all factors instead of any one"))
        }
        if flags.isSuperset(of: [.and]) {
            others.append((other(joined.union(.or)), "accepts any one factor instead of all"))
        }
        for (flag, name) in factors {
            let left = flags.subtracting(flag)
            // An operator needs at least two factors, so it goes with the second to last one.
            let rest = factors.count <= 2 ? left.subtracting([.or, .and]) : left
            let word = isAny ? "no longer accepts \(name)" : "no longer demands \(name)"
            others.append((rest.isEmpty ? AccessControl(control.protection) : other(rest), word))
            for (next, nextName) in AccessControlFlags.factors where !flags.contains(next) {
                others.append((other(left.union(next)), "asks for \(nextName) instead of \(name)"))
            }
        }
        for (next, name) in AccessControlFlags.factors where !flags.contains(next) {
            if factors.isEmpty {
                others.append((other(flags.union(next)), "demands \(name)"))
            } else {
                if isAny || factors.count == 1 {
                    others.append((other(joined.union([next, .or])), "also accepts \(name)"))
                }
                if !isAny { others.append((other(joined.union([next, .and])), "also demands \(name)")) }
            }
        }
        for (flag, name) in AccessControlFlags.extras {
            if flags.contains(flag) {
                let rest = flags.subtracting(flag)
                others.append(
                    (rest.isEmpty ? AccessControl(control.protection) : other(rest), "no longer demands \(name)"))
            } else {
                others.append((other(flags.union(flag)), "also demands \(name)"))
            }
        }
        return others
    }
}

extension AccessControlFlags {
    /// The flags that ask for a factor of the person who is present.
    fileprivate static let factors: [(flag: Self, name: String)] = [
        (.userPresence, "presence"), (.biometryAny, "any enrolled biometry"),
        (.biometryCurrentSet, "the current set's biometry"), (.devicePasscode, "the passcode"),
        (.companion, "the companion"),
    ]

    /// The flags that ask for something else in addition.
    fileprivate static let extras: [(flag: Self, name: String)] = [
        (.applicationPassword, "the application password"), (.privateKeyUsage, "to be used as a private key"),
    ]
}
