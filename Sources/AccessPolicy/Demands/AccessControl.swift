/// The access policy of an item: an accessibility class, and flags that say which factors an operation needs.
///
/// It models Apple's `SecAccessControl`. Two access controls are equal if they mean the same, however their flags were
/// written.
public struct AccessControl: Hashable, Sendable {
    /// The kind of operation that the flags guard.
    enum Kind: UInt8, Sendable {
        /// An accessibility class without flags.
        case plain
        /// Flags that guard the reading of data.
        case data
        /// Flags that guard the use of a private key.
        case key
    }

    /// The accessibility class, which says when the item's class key is available.
    public let protection: Accessibility
    let kind: Kind
    /// The constraint on the operation that the flags guard.
    package let guarding: Constraint
    /// True if the guarded operation also needs the application password.
    public let needsApplicationPassword: Bool

    /// Creates an access policy of an accessibility class without flags.
    public init(_ protection: Accessibility) {
        self.protection = protection
        kind = .plain
        guarding = .always
        needsApplicationPassword = false
    }

    /// Creates an access policy of an accessibility class with flags.
    ///
    /// It refuses exactly the combinations that Apple refuses (semantics 4.1). The state of the device plays no part:
    /// if a factor does not exist on the device, storing an item under the policy fails.
    ///
    /// - Parameters:
    ///   - protection: The accessibility class.
    ///   - flags: The flags. The empty set is allowed and guards nothing, but the item never syncs.
    /// - Throws: ``InvalidFlagsError`` if the flags contain both ``AccessControlFlags/or`` and
    ///   ``AccessControlFlags/and``, both kinds of biometry, or ``AccessControlFlags/userPresence`` with a flag that it
    ///   does not combine with.
    public init(protection: Accessibility, flags: AccessControlFlags) throws(InvalidFlagsError) {
        if let rule = Self.refusal(of: flags) { throw InvalidFlagsError(rule: rule, flags: flags) }
        var (kind, requirements, needsPassword) = (Kind.data, RequirementSet(), false)
        for flag in AccessControlFlag.allCases where flags.contains(AccessControlFlags(flag)) {
            switch flag.role {
            case .requires(let requirement): requirements.insert(requirement)
            case .joins: break
            case .guardsKeyUse: kind = .key
            case .needsApplicationPassword: needsPassword = true
            }
        }
        self.protection = protection
        self.kind = kind
        guarding = Constraint(requirements, anyIsEnough: flags.contains(.or))
        needsApplicationPassword = needsPassword
    }

    private static func refusal(of flags: AccessControlFlags) -> Rule? {
        if flags.isSuperset(of: [.or, .and]) { return .flagsOrWithAnd }
        if flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return .flagsTwoBiometries }
        let besidePresence = flags.subtracting([.userPresence, .applicationPassword, .privateKeyUsage])
        if flags.contains(.userPresence) && !besidePresence.isEmpty { return .flagsPresenceWithOther }
        return nil
    }

    /// Returns the constraint on an operation; nil if the policy has no entry for it, which denies the operation.
    public func constraint(for operation: Operation) -> Constraint? {
        switch kind {
        case .plain: .always
        case .data where guarding == .always: .always  // a single default entry covers every operation
        case .data:
            switch operation {
            case .readData: guarding
            case .writeData, .delete: .always
            case .sign, .agree, .decapsulate, .attest, .other: nil
            }
        case .key:
            switch operation {
            case .sign, .agree, .decapsulate: guarding
            case .attest, .delete: .always
            case .readData, .writeData, .other: nil
            }
        }
    }

    /// Returns the minimal sets of factors that allow the guarded operation, in the order in which to prompt for them.
    ///
    /// A vault encrypts an item once for each of them.
    public func ways(_ fidelity: Fidelity) -> Ways {
        guarding.ways(fidelity, withApplicationPassword: needsApplicationPassword)
    }

    /// True if the policy was created with a set of flags, even an empty one. Such an item never syncs.
    public var hasFlags: Bool { kind != .plain }

    /// True if the policy guards the use of a private key.
    public var guardsKeyUse: Bool { kind == .key }

    /// The requirements on the guarded operation.
    public var requirements: RequirementSet { guarding.requirements }

    /// True if biometry can satisfy one of the requirements.
    public var speaksOfBiometry: Bool { requirements.contains { $0.speaksOfBiometry } }

    /// True if the guarded operation needs any authentication.
    public var isProtected: Bool { guarding != .always || needsApplicationPassword }

    /// The shortest set of flags with this meaning.
    public var flags: AccessControlFlags {
        var flags = guarding.requirements.reduce(into: AccessControlFlags()) { $0.formUnion($1.flag) }
        switch guarding {
        case .any: flags.insert(.or)
        case .all: flags.insert(.and)
        case .always, .one: break
        }
        if kind == .key { flags.insert(.privateKeyUsage) }
        if needsApplicationPassword { flags.insert(.applicationPassword) }
        return flags
    }
}

extension AccessControl: CustomStringConvertible {
    /// The policy as people write it, such as `whenUnlocked, biometryAny or devicePasscode`.
    public var description: String {
        let joiner = if case .any = guarding { " or " } else { " and " }
        var parts: [String] = []
        for (flag, name) in AccessControlFlags.named where guarding.requirements.contains(where: { $0.flag == flag }) {
            parts.append(name)
        }
        var text = protection.name
        if !parts.isEmpty { text += ", " + parts.joined(separator: joiner) }
        if needsApplicationPassword { text += ", applicationPassword" }
        if kind == .key { text += ", privateKeyUsage" }
        return text
    }
}

/// The error for a combination of flags that Apple refuses.
public struct InvalidFlagsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that refuses the combination.
    public let rule: Rule
    /// The refused combination of flags.
    public let flags: AccessControlFlags

    /// The flags, and why they cannot be combined.
    public var description: String {
        let names = AccessControlFlags.named.filter { flags.contains($0.flag) }.map { $0.name }
        return "\(names.joined(separator: " + ")) is refused: \(rule.summary) (\(rule.identifier))"
    }
}
