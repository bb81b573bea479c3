// The table of all rules, one row for each, in the order of the cases.

extension Rule {
    /// The facts about this rule: its effect, its text, its evidence and its remedy.
    public var facts: RuleFacts {
        switch self {
        case .flagsOrWithAnd:
            .init(
                "flags.or-with-and", .refuses, .code, "4.1", .changePolicy,
                "\"or\" and \"and\" cannot be combined")
        case .flagsTwoBiometries:
            .init(
                "flags.two-biometries", .refuses, .code, "4.1", .changePolicy,
                "biometryAny and biometryCurrentSet cannot be combined")
        case .flagsPresenceWithOther:
            .init(
                "flags.presence-with-other", .refuses, .code, "4.1", .changePolicy,
                "userPresence can be combined only with applicationPassword and privateKeyUsage")
        case .contextInvalidated:
            .init(
                "context.invalidated", .denies, .header, "6.6", .newContext,
                "the context was invalidated and cannot be used again")
        case .interactionSkipUnsupported:
            .init(
                "interaction.skip-unsupported", .denies, .test, "3.4", .allowInteraction,
                "an add, update or delete cannot skip items that need authentication")
        case .addSynchronizableWithFlags:
            .init(
                "add.synchronizable-with-flags", .denies, .test, "3.4", .changePolicy,
                "an item with access-control flags cannot be synchronizable")
        case .addSynchronizableThisDevice:
            .init(
                "add.synchronizable-this-device", .denies, .header, "3.12", .changePolicy,
                "an item with a ThisDeviceOnly class cannot be synchronizable")
        case .groupNone:
            .init(
                "group.none", .denies, .code, "3.4", .entitle,
                "the app has no access groups")
        case .groupNamed:
            .init(
                "group.named", .denies, .test, "3.10", .entitle,
                "the app does not belong to the access group that it named")
        case .groupHidden:
            .init(
                "group.hidden", .denies, .test, "3.10", .entitle,
                "the item is in an access group that the app does not search")
        case .groupTokenReadOnly:
            .init(
                "group.token-read-only", .denies, .code, "3.5", .changePolicy,
                "the access group of tokens is read-only")
        case .itemNotFound:
            .init(
                "item.not-found", .denies, .code, "3.8", .store,
                "there is no such item")
        case .itemDuplicate:
            .init(
                "item.duplicate", .denies, .test, "3.5", .clearTheWay,
                "an item with the same primary key already exists")
        case .itemUnbound:
            .init(
                "item.unbound", .denies, .model, nil, .store,
                "the item has not been stored yet, so it cannot be opened")
        case .operationWithoutEntry:
            .init(
                "operation.without-entry", .denies, .code, "4.2", .changePolicy,
                "the access control has no entry for this operation, so it is never allowed")
        case .classOpen:
            .init(
                "class.open", .allows, .code, "5", .nothing,
                "the item's class key is available")
        case .classLocked:
            .init(
                "class.locked", .denies, .test, "5", .unlock,
                "the item's class key is available only while the device is unlocked")
        case .classBeforeFirstUnlock:
            .init(
                "class.before-first-unlock", .denies, .test, "5", .enterPasscode,
                "the item's class key is available only after the first unlock since the device started")
        case .classPasscodeNotSet:
            .init(
                "class.passcode-not-set", .denies, .test, "4.5", .setPasscode,
                "a whenPasscodeSetThisDeviceOnly item cannot be stored while no device passcode is set")
        case .classDestroyed:
            .init(
                "class.destroyed", .denies, .test, "4.5", .store,
                "the passcode was removed since the item was stored, which destroyed the item's class key")
        case .addBeforeFirstUnlock:
            .init(
                "add.before-first-unlock", .denies, .model, nil, .enterPasscode,
                "a protected item can be stored only after the first unlock since the device started")
        case .deleteNeverAsks:
            .init(
                "delete.never-asks", .allows, .test, "4.4", .nothing,
                "deleting an item never needs authentication, whatever its access policy")
        case .inventoryNeedsClassOnly:
            .init(
                "inventory.class-only", .allows, .model, nil, .nothing,
                "the owner's list shows the name and policy of an item whose class key is available")
        case .operationUnconditional:
            .init(
                "operation.unconditional", .allows, .code, "4.2", .nothing,
                "this operation needs no authentication")
        case .evidenceCounts:
            .init(
                "evidence.counts", .allows, .header, "6.6", .nothing,
                "the context already holds a valid authentication")
        case .evidenceFromOtherSession:
            .init(
                "evidence.other-session", .discounts, .inference, "6.6", .authenticate,
                "an authentication from before the device locked or restarted no longer counts")
        case .evidenceExpired:
            .init(
                "evidence.expired", .discounts, .field, "6.6", .authenticate,
                "an authentication older than ten minutes no longer counts")
        case .evidenceOfOtherSet:
            .init(
                "evidence.other-set", .discounts, .model, nil, .authenticate,
                "the biometric match was made against other enrollments than those the item is bound to")
        case .evidenceOfOtherItem:
            .init(
                "evidence.other-item", .discounts, .model, nil, .authenticate,
                "the application password was given for another item")
        case .unlockReused:
            .init(
                "unlock.reused", .allows, .documentation, "6.5", .nothing,
                "biometry unlocked the device within the reuse window, which counts as biometry")
        case .unlockNotReusable:
            .init(
                "unlock.not-reusable", .discounts, .documentation, "6.5", .authenticate,
                "the last biometric unlock is too old to be reused, or biometry has changed since")
        case .waySatisfied:
            .init(
                "way.proved", .allows, .code, "4.4", .nothing,
                "the authenticated factors satisfy the access policy")
        case .authenticationNeeded:
            .init(
                "proof.needed", .asks, .code, "4.4", .authenticate,
                "the user must authenticate")
        case .passwordWrong:
            .init(
                "application-password.wrong", .denies, .test, "4.7", .authenticate,
                "the app supplied a wrong application password, and no prompt is allowed")
        case .passwordMissing:
            .init(
                "application-password.missing", .denies, .code, "4.7", .authenticate,
                "the app supplied no application password, and no prompt is allowed")
        case .passcodeNotSet:
            .init(
                "passcode.not-set", .denies, .documentation, "4.3", .setPasscode,
                "no device passcode is set")
        case .passcodeDelayed:
            .init(
                "passcode.delayed", .denies, .documentation, "7.3", .wait,
                "after wrong passcodes, the device accepts none until a delay ends")
        case .passcodeDisabled:
            .init(
                "passcode.disabled", .denies, .documentation, "7.3", .erase,
                "after too many wrong passcodes, the device accepts no more")
        case .biometryNoHardware:
            .init(
                "biometry.no-hardware", .denies, .header, "6.2", .otherDevice,
                "the device has no biometric sensor")
        case .biometryNoUsageText:
            .init(
                "biometry.no-usage-text", .denies, .field, "6.3", .declareUsageText,
                "the app does not declare NSFaceIDUsageDescription")
        case .biometryNotPermitted:
            .init(
                "biometry.not-permitted", .denies, .field, "6.3", .permitBiometry,
                "the user denied the app permission to use biometry")
        case .biometryNotEnrolled:
            .init(
                "biometry.not-enrolled", .denies, .header, "6.2", .enroll,
                "no finger or face is enrolled")
        case .biometryLockedOut:
            .init(
                "biometry.locked-out", .denies, .documentation, "7.1", .enterPasscode,
                "after five failed matches, biometry is locked out until the passcode is entered")
        case .biometryPasscodeRequired:
            .init(
                "biometry.passcode-required", .denies, .documentation, "7.1", .enterPasscode,
                "the device requires the passcode before it accepts biometry again")
        case .biometrySetChanged:
            .init(
                "biometry.current-set.changed", .denies, .code, "4.6", .store,
                "a finger or face was added or removed since the item was stored")
        case .biometrySensorChanged:
            .init(
                "biometry.sensor.changed", .denies, .inference, "4.6", .store,
                "the sensor was fully reset or replaced since the item was stored")
        case .keyInvalidated:
            .init(
                "key.invalidated", .denies, .field, "4.6", .replace,
                "the key still exists but can never be used: the enrollments that it is bound to have changed")
        case .companionNotPaired:
            .init(
                "companion.not-paired", .denies, .header, "6.2", .pairCompanion,
                "no companion is paired")
        case .companionNotNear:
            .init(
                "companion.not-near", .denies, .header, "4.3", .bringCompanion,
                "the companion is not nearby, or it is locked")
        case .deviceLocked:
            .init(
                "device.locked", .denies, .inference, "4.4", .unlock,
                "authentication is needed, and a locked device shows no prompt")
        case .interactionNotAllowed:
            .init(
                "interaction.not-allowed", .denies, .test, "4.4", .authenticate,
                "authentication is needed, and the caller allows no prompt")
        case .interactionSkipped:
            .init(
                "interaction.skipped", .denies, .test, "4.4", .allowInteraction,
                "authentication is needed, and the caller skips items that need it")
        case .sheetCanceled:
            .init(
                "sheet.cancelled", .denies, .header, "6.2", .authenticate,
                "the user canceled the prompt")
        case .sheetFallback:
            .init(
                "sheet.fallback", .denies, .header, "6.4", .authenticate,
                "the user chose the fallback, and the policy accepts none")
        case .sheetFailed:
            .init(
                "sheet.failed", .denies, .header, "6.2", .authenticate,
                "authentication failed, and the prompt has no attempts left")
        case .sheetHitLockout:
            .init(
                "sheet.hit-lockout", .denies, .field, "6.4", .enterPasscode,
                "failed matches in this prompt locked biometry out")
        case .sheetSystemCanceled:
            .init(
                "sheet.system-cancelled", .denies, .header, "6.2", .authenticate,
                "the system canceled the prompt, as it does when the device locks")
        case .sheetAppCanceled:
            .init(
                "sheet.app-cancelled", .denies, .header, "6.6", .newContext,
                "the app invalidated the context during the prompt")
        case .sheetAuthenticatorUnavailable:
            .init(
                "sheet.judge-unavailable", .denies, .model, nil, .repairAuthenticator,
                "the authenticator could not check the answer")
        }
    }
}

extension RuleFacts {
    init(
        _ identifier: String, _ effect: Effect, _ grounds: Grounds, _ section: String?, _ remedy: Remedy,
        _ summary: String
    ) {
        self.identifier = identifier
        self.effect = effect
        self.summary = summary
        self.grounds = grounds
        self.section = section
        self.remedy = remedy
    }
}
