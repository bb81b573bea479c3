/// A rule that grants, challenges or denies a request, or refuses to create an access control.
///
/// Traces, coverage, explanations, documentation and error messages take their texts from ``facts``.
public enum Rule: UInt8, CaseIterable, Sendable {
    // MARK: Creating an access control

    /// The flags contain both `or` and `and`.
    case flagsOrWithAnd
    /// The flags contain both `biometryAny` and `biometryCurrentSet`.
    case flagsTwoBiometries
    /// The flags contain `userPresence` with a flag that it does not combine with.
    case flagsPresenceWithOther

    // MARK: The request and its caller

    /// The context was invalidated.
    case contextInvalidated
    /// An add, an update or a delete asks to skip items that need authentication.
    case interactionSkipUnsupported
    /// A synchronizable item has access-control flags.
    case addSynchronizableWithFlags
    /// A synchronizable item has a this-device-only accessibility class.
    case addSynchronizableThisDevice
    /// The app has no access groups.
    case groupNone
    /// The app does not belong to the access group that it named.
    case groupNamed
    /// The item is in an access group that the app does not search.
    case groupHidden
    /// The app tries to write to the access group of tokens.
    case groupTokenReadOnly

    // MARK: The item

    /// No such item exists.
    case itemNotFound
    /// An item with the same primary key exists.
    case itemDuplicate
    /// The item has not been stored yet.
    case itemUnbound
    /// The access control has no entry for the operation.
    case operationWithoutEntry

    // MARK: The class key

    /// The class key is available.
    case classOpen
    /// The class key is available only while the device is unlocked.
    case classLocked
    /// The class key is available only after the first unlock since the device started.
    case classBeforeFirstUnlock
    /// No passcode is set, so an item that depends on one cannot be stored.
    case classPasscodeNotSet
    /// The passcode was removed, which destroyed the class key.
    case classDestroyed

    // MARK: Storing

    /// A protected item cannot be stored before the first unlock.
    case addBeforeFirstUnlock

    // MARK: No authentication needed

    /// Deleting never needs authentication.
    case deleteNeverAsks
    /// The owner's list needs only the class key.
    case inventoryNeedsClassOnly
    /// The access control puts no constraint on the operation.
    case operationUnconditional

    // MARK: Authentications that the context holds

    /// The context holds a valid authentication.
    case evidenceCounts
    /// The authentication is from an earlier session of the device.
    case evidenceFromOtherSession
    /// The authentication is older than the limit.
    case evidenceExpired
    /// The biometric match was made against other enrollments.
    case evidenceOfOtherSet
    /// The application password belongs to another item.
    case evidenceOfOtherItem
    /// The last biometric unlock of the device counts as biometry.
    case unlockReused
    /// The last biometric unlock of the device cannot be reused.
    case unlockNotReusable
    /// The authenticated factors satisfy the access policy.
    case waySatisfied

    // MARK: Factors that are missing

    /// The user must authenticate.
    case authenticationNeeded
    /// The app supplied a wrong application password.
    case passwordWrong
    /// The app supplied no application password.
    case passwordMissing
    /// No device passcode is set.
    case passcodeNotSet
    /// The device accepts no passcode until a delay ends.
    case passcodeDelayed
    /// The device accepts no more passcodes.
    case passcodeDisabled
    /// The device has no biometric sensor.
    case biometryNoHardware
    /// The app does not declare why it uses biometry.
    case biometryNoUsageText
    /// The user denied the app permission to use biometry.
    case biometryNotPermitted
    /// No finger or face is enrolled.
    case biometryNotEnrolled
    /// Biometry is locked out after failed matches.
    case biometryLockedOut
    /// The device requires the passcode before it accepts biometry again.
    case biometryPasscodeRequired
    /// The enrolled set changed since the item was stored.
    case biometrySetChanged
    /// The sensor was reset or replaced since the item was stored.
    case biometrySensorChanged
    /// The private key is invalidated by an enrollment change.
    case keyInvalidated
    /// No companion is paired.
    case companionNotPaired
    /// The companion is not nearby, or it is locked.
    case companionNotNear

    // MARK: Prompts that are not possible

    /// A locked device shows no prompt.
    case deviceLocked
    /// The caller does not allow a prompt.
    case interactionNotAllowed
    /// The caller skips items that need a prompt.
    case interactionSkipped

    // MARK: Prompts that ended without authentication

    /// The user canceled the prompt.
    case sheetCanceled
    /// The user chose a fallback that the policy does not accept.
    case sheetFallback
    /// The prompt has no attempts left.
    case sheetFailed
    /// Failed matches in the prompt locked biometry out.
    case sheetHitLockout
    /// The system canceled the prompt.
    case sheetSystemCanceled
    /// The app invalidated the context during the prompt.
    case sheetAppCanceled
    /// The authenticator could not check the answer.
    case sheetAuthenticatorUnavailable
}

/// The facts about a rule: its effect, its text, its evidence and its remedy.
public struct RuleFacts: Sendable {
    /// The effect of a rule when it fires.
    public enum Effect: String, CaseIterable, Sendable {
        /// The rule refuses to create an access control.
        case refuses
        /// The rule denies the request.
        case denies
        /// The rule grants the request, or lets deciding go on.
        case allows
        /// The rule challenges the user to authenticate.
        case asks
        /// The rule discounts an authentication or a way.
        case discounts
    }

    /// The kind of evidence that Apple's system behaves like this, strongest first.
    ///
    /// Section 0 of `docs/apple-semantics.md` explains the kinds.
    public enum Grounds: String, CaseIterable, Sendable {
        /// Asserted by Apple's own tests.
        case test = "TEST"
        /// Read in Apple's source code.
        case code = "CODE"
        /// Stated in a public header.
        case header = "HDR"
        /// Stated in Apple's documentation.
        case documentation = "DOC"
        /// Observed by developers.
        case field = "FIELD"
        /// Inferred from the other kinds.
        case inference = "INF"
        /// Chosen by this project, because Apple documents nothing.
        case model = "model"
    }

    /// The identifier, which never changes.
    public let identifier: String
    /// The effect of the rule when it fires.
    public let effect: Effect
    /// One line that says what the rule means, as a clause without a period.
    public let summary: String
    /// The kind of evidence for the rule.
    public let grounds: Grounds
    /// The section of `docs/apple-semantics.md`; nil for a choice of this project.
    public let section: String?
    /// The step that would overcome a denial by this rule.
    public let remedy: Remedy
}
