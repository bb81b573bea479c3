/// What Apple's interfaces answer for a denial: the one table from rules to numbers.
public struct AppleStatus: Hashable, Sendable {
    /// What a keychain call returns.
    public let status: OSStatusCode
    /// What an evaluation on a context fails with; nil for a rule that no evaluation meets.
    public let laError: LAErrorCode?

    /// The answer for a denial by `rule`; nil for a rule that denies nothing.
    ///
    /// `fidelity` is the device's (`Conditions.fidelity`): some numbers are among what Apple's sources disagree about.
    public init?(_ rule: Rule, _ fidelity: Fidelity) {
        guard let answer = Self.answer(to: rule, fidelity) else { return nil }
        self = answer
    }

    /// Both interfaces meet it; a keychain call translates the error (semantics 1.6).
    private init(everywhere laError: LAErrorCode) {
        self.laError = laError
        status = laError.status
    }

    /// Both interfaces meet it, and Apple's own test has a keychain call answer otherwise than its error would be translated.
    private init(_ laError: LAErrorCode, keychain status: OSStatusCode) {
        self.laError = laError
        self.status = status
    }

    /// Only a keychain call meets it.
    private init(keychain status: OSStatusCode) {
        laError = nil
        self.status = status
    }

    private static func answer(to rule: Rule, _ fidelity: Fidelity) -> AppleStatus? {
        switch rule {
        case .contextInvalidated: AppleStatus(everywhere: .invalidContext)
        case .passcodeNotSet: AppleStatus(everywhere: .passcodeNotSet)
        case .biometryNoHardware, .biometryNoUsageText, .biometryNotPermitted:
            AppleStatus(everywhere: .biometryNotAvailable)
        case .biometryNotEnrolled: AppleStatus(everywhere: .biometryNotEnrolled)
        case .biometryLockedOut, .biometryPasscodeRequired: AppleStatus(everywhere: .biometryLockout)
        case .companionNotPaired, .companionNotNear: AppleStatus(everywhere: .companionNotAvailable)
        case .passcodeDelayed, .passcodeDisabled, .operationWithoutEntry, .passwordWrong:
            AppleStatus(everywhere: .authenticationFailed)
        case .deviceLocked, .interactionNotAllowed, .addBeforeFirstUnlock: AppleStatus(everywhere: .notInteractive)
        case .passwordMissing: AppleStatus(.notInteractive, keychain: .authFailed)
        case .sheetCanceled: AppleStatus(everywhere: .userCancel)
        case .sheetFallback: AppleStatus(everywhere: .userFallback)
        case .sheetFailed, .sheetAuthenticatorUnavailable: AppleStatus(everywhere: .authenticationFailed)
        case .sheetHitLockout:
            switch fidelity.lockoutHit {
            case .authenticationFailed: AppleStatus(everywhere: .authenticationFailed)
            case .biometryLockout: AppleStatus(everywhere: .biometryLockout)
            }
        case .sheetSystemCanceled: AppleStatus(everywhere: .systemCancel)
        case .sheetAppCanceled: AppleStatus(everywhere: .appCancel)

        case .flagsOrWithAnd, .flagsTwoBiometries, .flagsPresenceWithOther, .interactionSkipUnsupported,
            .addSynchronizableWithFlags, .addSynchronizableThisDevice, .itemUnbound:
            AppleStatus(keychain: .param)
        case .groupNone, .groupNamed, .groupTokenReadOnly: AppleStatus(keychain: .missingEntitlement)
        case .groupHidden, .itemNotFound, .interactionSkipped, .classDestroyed: AppleStatus(keychain: .itemNotFound)
        case .itemDuplicate: AppleStatus(keychain: .duplicateItem)
        case .classLocked, .classBeforeFirstUnlock: AppleStatus(keychain: .interactionNotAllowed)
        case .classPasscodeNotSet:
            switch fidelity.addWithoutPasscode {
            case .notAvailable: AppleStatus(keychain: .notAvailable)
            case .authFailed: AppleStatus(keychain: .authFailed)
            case .decode: AppleStatus(keychain: .decode)
            }
        case .biometrySetChanged, .biometrySensorChanged:
            switch fidelity.changedSet {
            case .notFoundWhileBiometryExists, .notFound: AppleStatus(keychain: .itemNotFound)
            case .authFailed: AppleStatus(keychain: .authFailed)
            }
        case .keyInvalidated:
            switch fidelity.changedSet {
            case .notFoundWhileBiometryExists, .notFound: AppleStatus(keychain: .param)
            case .authFailed: AppleStatus(keychain: .authFailed)
            }

        case .classOpen, .deleteNeverAsks, .inventoryNeedsClassOnly, .operationUnconditional, .evidenceCounts,
            .evidenceFromOtherSession, .evidenceExpired, .evidenceOfOtherSet, .evidenceOfOtherItem, .unlockReused,
            .unlockNotReusable, .waySatisfied, .authenticationNeeded:
            nil
        }
    }
}
