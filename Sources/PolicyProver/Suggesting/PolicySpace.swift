public import AccessPolicy

/// Every policy that Apple's flags can write, each distinct demand once.
public enum PolicySpace: Sendable {
    /// Every distinct demand that flags make in one class: those for data, or those for the use of a private key.
    ///
    /// Several sets of flags say the same: "and" is what no word between constraints means too, and either word between fewer than
    /// two constraints means nothing. Of those the shortest is here.
    public static func flags(forKey isKey: Bool) -> [AccessControlFlags] {
        let kind: AccessControlFlags = isKey ? .privateKeyUsage : []
        return constraints.flatMap { [$0.union(kind), $0.union(kind).union(.applicationPassword)] }
    }

    /// Every distinct demand for data, or for the use of a private key, class by class.
    ///
    /// Whatever has no constraint and no application password demands its class alone, so it is there once, made without flags.
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

    /// Nothing, presence, and every choice of constraints with every word between them.
    private static let constraints: [AccessControlFlags] = {
        let biometries: [AccessControlFlags] = [[], .biometryAny, .biometryCurrentSet]
        let others: [AccessControlFlags] = [[], .devicePasscode, .companion, [.devicePasscode, .companion]]
        let choices = biometries.flatMap { biometry in others.map { biometry.union($0) } }
        let single = choices.filter { $0.rawValue.nonzeroBitCount < 2 }
        let several = choices.filter { $0.rawValue.nonzeroBitCount > 1 }
        return single + [.userPresence] + several.flatMap { [$0.union(.or), $0.union(.and)] }
    }()
}
