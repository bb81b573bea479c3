/// What an item demands: a protection class, and what must be proved for each operation.
///
/// Apple's `SecAccessControl`. Two are equal when they demand the same, however the flags were written.
public struct AccessControl: Hashable, Sendable {
    /// What the operations are about.
    enum Kind: UInt8, Sendable {
        /// A protection class and nothing else: what an item has that was stored without flags.
        case plain
        /// Flags that guard data.
        case data
        /// Flags that guard the use of a private key.
        case key
    }

    /// When the item may be opened at all.
    public let protection: Accessibility
    let kind: Kind
    /// What guards the operation that the flags are about.
    package let guarding: Constraint
    /// True if the application's own password is needed on top.
    public let needsApplicationPassword: Bool

    /// An item with a protection class and no flags.
    public init(_ protection: Accessibility) {
        self.protection = protection
        kind = .plain
        guarding = .always
        needsApplicationPassword = false
    }

    /// A protection class with flags, refused exactly where Apple refuses it (semantics 4.1).
    ///
    /// Device state plays no part: whether anyone could ever satisfy the flags shows when an item is stored.
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

    /// What must be proved for `operation`; nil when the access control has no entry for it, which denies it.
    public func constraint(for operation: Operation) -> Constraint? {
        switch kind {
        case .plain: .always
        case .data where guarding == .always: .always  // one default entry answers for every operation
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

    /// The minimal sets of factors that open the guarded operation, the one to try first in front: for each of them an
    /// item is locked up once.
    public func ways(_ fidelity: Fidelity) -> Ways {
        guarding.ways(fidelity, withApplicationPassword: needsApplicationPassword)
    }

    /// True if it was made with flags, be it none of them; such an item never syncs.
    public var hasFlags: Bool { kind != .plain }

    /// True if it guards the use of a private key.
    public var guardsKeyUse: Bool { kind == .key }

    /// The requirements behind the guarded operation.
    public var requirements: RequirementSet { guarding.requirements }

    /// True if a sensor has a say in it.
    public var speaksOfBiometry: Bool { requirements.contains { $0.speaksOfBiometry } }

    /// True if anything at all has to be proved for the guarded operation.
    public var isProtected: Bool { guarding != .always || needsApplicationPassword }

    /// The flags, written the shortest way that means the same.
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
    /// The demand in the words people write, such as `whenUnlocked, biometryAny or devicePasscode`.
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

/// Apple refuses this combination of flags, and so do we.
public struct InvalidFlagsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that refuses it.
    public let rule: Rule
    /// The combination.
    public let flags: AccessControlFlags

    /// What was asked for, and why it cannot be.
    public var description: String {
        let names = AccessControlFlags.named.filter { flags.contains($0.flag) }.map { $0.name }
        return "\(names.joined(separator: " + ")) is refused: \(rule.summary) (\(rule.identifier))"
    }
}
