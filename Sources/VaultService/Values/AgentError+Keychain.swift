internal import AccessPolicy
internal import AgentProtocol
internal import ApplePlatform
internal import DeviceModel
package import Latchkey
internal import SecretVault

extension AgentError {
    package init(_ error: KeychainError) {
        self.init(Kind(error), Self.words(error), rule: Self.rule(error)?.identifier, status: error.status?.rawValue)
    }

    private static func words(_ error: KeychainError) -> String {
        if case .vault(.settingsChanged(let change)) = error { return change.words(change.namesOfAll) }
        if case .refused(let refusal) = error { return "the vault refuses this now: \(refusal.text)" }
        return "\(error)"
    }

    /// Returns the rule that denied the request, also if the vault refused to prompt for a passcode by it.
    private static func rule(_ error: KeychainError) -> Rule? {
        guard case .refused(let refusal) = error else { return error.rule }
        if refusal == .passcodeDelayed { return .passcodeDelayed }
        return refusal == .passcodeDisabled ? .passcodeDisabled : nil
    }
}

extension SettingsChange {
    /// The names of everything that differs, with the members of the settings.
    fileprivate var namesOfAll: [String] {
        let members = VaultSettings.members(of: found, differingFrom: owner)
        let isOther = members.isEmpty && found != owner
        return names + members + (isOther ? ["settings"] : [])
    }
}

extension AgentError.Kind {
    fileprivate init(_ error: KeychainError) {
        self =
            switch error {
            case .denied(let denied): Self(denied.denial.rule)
            case .refused(.passcodeDelayed), .refused(.passcodeDisabled): .wrong
            case .request, .wrongKind, .foreignContext, .refused, .key: .request
            case .wrongPasscode, .vault(.wrongPassphrase), .vault(.wrongRecoveryKey),
                .vault(.wrongRetirementCode):
                .wrong
            case .authenticator, .sensor: .unavailable
            case .vault(.damaged), .vault(.olderCopy), .vault(.foreign), .vault(.notABackup),
                .vault(.notATransfer), .vault(.settingsChanged):
                .damaged
            case .vault(.passcodeLength), .vault(.secretTooLarge), .vault(.attributesTooLarge), .vault(.realVault):
                .request
            case .vault(.tooManyFields): .request
            case .vault(.alreadyThere): .exists
            case .vault(.noFormerVersion): .notFound
            case .vault: .vault
            }
    }

    private init(_ rule: Rule) {
        self =
            switch rule {
            case .itemNotFound, .groupHidden: .notFound
            case .itemDuplicate: .exists
            case .classLocked, .classBeforeFirstUnlock, .deviceLocked, .addBeforeFirstUnlock: .locked
            case .sheetCanceled, .sheetFallback, .sheetSystemCanceled, .sheetAppCanceled: .dismissed
            case .sheetFailed, .sheetHitLockout, .passwordWrong, .passcodeDelayed, .passcodeDisabled: .wrong
            case .interactionNotAllowed, .passwordMissing: .noTerminal
            case .sheetAuthenticatorUnavailable: .unavailable
            case .flagsOrWithAnd, .flagsTwoBiometries, .flagsPresenceWithOther, .contextInvalidated,
                .interactionSkipUnsupported,
                .addSynchronizableWithFlags, .addSynchronizableThisDevice, .groupNone, .groupNamed, .groupTokenReadOnly,
                .itemUnbound, .operationWithoutEntry, .classOpen, .classPasscodeNotSet, .classDestroyed,
                .deleteNeverAsks,
                .inventoryNeedsClassOnly, .operationUnconditional, .evidenceCounts, .evidenceFromOtherSession,
                .evidenceExpired, .evidenceOfOtherSet, .evidenceOfOtherItem, .unlockReused, .unlockNotReusable,
                .waySatisfied,
                .authenticationNeeded, .passcodeNotSet, .biometryNoHardware,
                .biometryNoUsageText, .biometryNotPermitted, .biometryNotEnrolled, .biometryLockedOut,
                .biometryPasscodeRequired, .biometrySetChanged, .biometrySensorChanged, .keyInvalidated,
                .companionNotPaired, .companionNotNear, .interactionSkipped:
                .denied
            }
    }
}
