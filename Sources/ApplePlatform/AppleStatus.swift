public import AccessPolicy

/// The numbers that Apple's interfaces return for a denial.
///
/// Every translation from a rule to a number goes through this table.
public struct AppleStatus: Hashable, Sendable {
    /// The status that a keychain call returns.
    public let status: OSStatusCode
    /// The error that an evaluation on a context throws; nil for a rule that denies only keychain calls.
    public let laError: LAErrorCode?

    /// Creates the numbers for a denial by a rule; nil for a rule that denies nothing.
    ///
    /// - Parameters:
    ///   - rule: The rule that denies the request.
    ///   - fidelity: The choices of the device, `Conditions.fidelity`. Apple's sources disagree about some numbers.
    public init?(_ rule: Rule, _ fidelity: Fidelity) {
        guard let answer = Self.answer(to: rule, fidelity) else { return nil }
        self = answer
    }

    /// Creates the numbers for a rule that both interfaces report. A keychain call translates the error (semantics
    /// 1.6).
    private init(everywhere laError: LAErrorCode) {
        self.laError = laError
        status = laError.status
    }

    /// Creates the numbers for a rule whose keychain status, by Apple's own test, differs from the translated error.
    private init(_ laError: LAErrorCode, keychain status: OSStatusCode) {
        self.laError = laError
        self.status = status
    }

    /// Creates the numbers for a rule that denies only keychain calls.
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
        case .deviceLocked, .interactionNotAllowed, .addBeforeFirstUnlock, .passwordMissing:
            AppleStatus(everywhere: .notInteractive)
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

extension AppleStatus: CustomStringConvertible {
    /// The names and numbers, such as `errSecAuthFailed (-25293), LAError.biometryLockout (-8)`.
    public var description: String {
        let keychain = "\(status.name) (\(status.rawValue))"
        return laError.map { "\(keychain), LAError.\($0.name) (\($0.rawValue))" } ?? keychain
    }
}
