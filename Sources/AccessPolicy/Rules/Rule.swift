/// Every rule by which a request is granted, challenged or denied, and an access control refused.
///
/// Traces, coverage, explanations, documentation and error messages all read from here; see ``facts``.
public enum Rule: UInt8, CaseIterable, Sendable {
    // Making an access control.
    case flagsOrWithAnd, flagsTwoBiometries, flagsPresenceWithOther
    // The request and the caller.
    case contextInvalidated, interactionSkipUnsupported, addSynchronizableWithFlags, addSynchronizableThisDevice
    case groupNone, groupNamed, groupHidden, groupTokenReadOnly
    // The item.
    case itemNotFound, itemDuplicate, itemUnbound, operationWithoutEntry
    // The class key.
    case classOpen, classLocked, classBeforeFirstUnlock, classPasscodeNotSet, classDestroyed
    // Storing.
    case addBeforeFirstUnlock
    // What needs nobody.
    case deleteNeverAsks, inventoryNeedsClassOnly, operationUnconditional
    // What has been proved.
    case evidenceCounts, evidenceFromOtherSession, evidenceExpired, evidenceOfOtherSet, evidenceOfOtherItem
    case unlockReused, unlockNotReusable, waySatisfied
    // What could be proved.
    case authenticationNeeded
    case passwordWrong, passwordMissing
    case passcodeNotSet, passcodeDelayed, passcodeDisabled
    case biometryNoHardware, biometryNoUsageText, biometryNotPermitted, biometryNotEnrolled, biometryLockedOut
    case biometryPasscodeRequired, biometrySetChanged, biometrySensorChanged, keyInvalidated
    case companionNotPaired, companionNotNear
    // Whether anybody can be asked.
    case deviceLocked, interactionNotAllowed, interactionSkipped
    // How a sheet ended without a proof.
    case sheetCanceled, sheetFallback, sheetFailed, sheetHitLockout, sheetSystemCanceled, sheetAppCanceled
    case sheetAuthenticatorUnavailable

    /// The stable name, such as `biometry.current-set.changed`.
    public var identifier: String { facts.identifier }
    /// One line that says what the rule says.
    public var summary: String { facts.summary }
    /// What would turn a denial by this rule.
    public var remedy: Remedy { facts.remedy }

    /// The rule with this stable name.
    public init?(identifier: String) {
        guard let rule = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = rule
    }
}

/// What is known about a rule.
public struct RuleFacts: Sendable {
    /// What a rule does when it fires.
    public enum Effect: String, CaseIterable, Sendable {
        /// It refuses to make an access control.
        case refuses
        /// It denies the request.
        case denies
        /// It lets the request go ahead, or on to the next question.
        case allows
        /// It asks for a proof.
        case asks
        /// It sets evidence or a way aside.
        case discounts
    }

    /// How strong the evidence is for Apple's system doing so, strongest first; see the semantics page, section 0.
    public enum Grounds: String, CaseIterable, Sendable {
        /// Asserted by Apple's own tests.
        case test = "TEST"
        /// Read in Apple's source.
        case code = "CODE"
        /// Said by a public header.
        case header = "HDR"
        /// Said by Apple's documentation.
        case documentation = "DOC"
        /// Observed by developers.
        case field = "FIELD"
        /// Inferred from the above.
        case inference = "INF"
        /// Our own choice, where Apple documents none.
        case model = "model"
    }

    /// The stable name.
    public let identifier: String
    /// What it does when it fires.
    public let effect: Effect
    /// One line that says what the rule says.
    public let summary: String
    /// How well it is known.
    public let grounds: Grounds
    /// The section of the semantics page; nil for a choice of ours.
    public let section: String?
    /// What would turn a denial by this rule.
    public let remedy: Remedy
}
