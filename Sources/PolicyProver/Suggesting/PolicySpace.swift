public import AccessPolicy

extension AccessControl {
    /// The devices on which Apple offers the policy, in words (semantics 4.2 and 7.8).
    package var availability: String {
        flags.contains(.companion)
            ? "a Mac with an Apple Watch; an iPhone from iOS 18 with a Mac, never with an Apple Watch"
            : "iPhone and Mac"
    }
}

/// Every access policy that Apple's flags can express, each meaning once.
public enum PolicySpace: Sendable {
    /// Returns every distinct set of flags for one accessibility class: for data, or for the use of a private key.
    ///
    /// Several sets of flags mean the same. "And" is also the meaning of constraints without an operator, and an
    /// operator has no effect on fewer than two constraints. The list has the shortest set for each meaning.
    public static func flags(forKey isKey: Bool) -> [AccessControlFlags] {
        let kind: AccessControlFlags = isKey ? .privateKeyUsage : []
        return constraints.flatMap { [$0.union(kind), $0.union(kind).union(.applicationPassword)] }
    }

    /// Returns every distinct policy for data, or for the use of a private key, class by class.
    ///
    /// A policy without constraints and without an application password asks for its class alone. The list has it once,
    /// without flags.
    public static func policies(
        forKey isKey: Bool, in classes: [Accessibility] = Accessibility.allCases
    ) -> [AccessControl] {
        classes.flatMap { protection in
            flags(forKey: isKey).map { flags in
                do throws(InvalidFlagsError) {
                    return flags.isEmpty
                        ? AccessControl(protection) : try AccessControl(protection: protection, flags: flags)
                } catch { preconditionFailure("flags that go together are refused: \(error)") }
            }
        }
    }

    /// No constraint, presence, and every choice of constraints with each operator between them.
    private static let constraints: [AccessControlFlags] = {
        let biometries: [AccessControlFlags] = [[], .biometryAny, .biometryCurrentSet]
        let others: [AccessControlFlags] = [[], .devicePasscode, .companion, [.devicePasscode, .companion]]
        let choices = biometries.flatMap { biometry in others.map { biometry.union($0) } }
        let single = choices.filter { $0.rawValue.nonzeroBitCount < 2 }
        let several = choices.filter { $0.rawValue.nonzeroBitCount > 1 }
        return single + [.userPresence] + several.flatMap { [$0.union(.or), $0.union(.and)] }
    }()
}
