// A plain table: one row a rule, in the order of the cases.

extension Rule {
    /// What is known about this rule.
    public var facts: RuleFacts {
        switch self {
        case .flagsOrWithAnd:
            .init(
                "flags.or-with-and", .refuses, .code, "4.1", .changePolicy,
                "\"or\" and \"and\" contradict each other")
        case .flagsTwoBiometries:
            .init(
                "flags.two-biometries", .refuses, .code, "4.1", .changePolicy,
                "biometryAny and biometryCurrentSet contradict each other")
        case .flagsPresenceWithOther:
            .init(
                "flags.presence-with-other", .refuses, .code, "4.1", .changePolicy,
                "userPresence goes with applicationPassword and privateKeyUsage only")
        case .contextInvalidated:
            .init(
                "context.invalidated", .denies, .header, "6.6", .newContext,
                "the context was invalidated and answers nothing any more")
        case .interactionSkipUnsupported:
            .init(
                "interaction.skip-unsupported", .denies, .test, "3.4", .allowInteraction,
                "an add, an update or a delete cannot skip items that would have to ask")
        case .addSynchronizableWithFlags:
            .init(
                "add.synchronizable-with-flags", .denies, .test, "3.4", .changePolicy,
                "an item with access-control flags cannot be synchronizable")
        case .addSynchronizableThisDevice:
            .init(
                "add.synchronizable-this-device", .denies, .header, "3.12", .changePolicy,
                "an item of this device only cannot be synchronizable")
        case .groupNone:
            .init(
                "group.none", .denies, .code, "3.4", .entitle,
                "the app has no access group at all")
        case .groupNamed:
            .init(
                "group.named", .denies, .test, "3.10", .entitle,
                "the app names an access group that it does not have")
        case .groupHidden:
            .init(
                "group.hidden", .denies, .test, "3.10", .entitle,
                "the item belongs to an access group that the app does not search")
        case .groupTokenReadOnly:
            .init(
                "group.token-read-only", .denies, .code, "3.5", .changePolicy,
                "the access group of tokens cannot be written to")
        case .itemNotFound:
            .init(
                "item.not-found", .denies, .code, "3.8", .store,
                "there is no such item")
        case .itemDuplicate:
            .init(
                "item.duplicate", .denies, .test, "3.5", .clearTheWay,
                "there is an item under the same key")
        case .itemUnbound:
            .init(
                "item.unbound", .denies, .model, nil, .store,
                "an item that was never stored is released to nobody")
        case .operationWithoutEntry:
            .init(
                "operation.without-entry", .denies, .code, "4.2", .changePolicy,
                "the access control has no entry for this operation, which denies it")
        case .classOpen:
            .init(
                "class.open", .allows, .code, "5", .nothing,
                "the class key that the item needs is open")
        case .classLocked:
            .init(
                "class.locked", .denies, .test, "5", .unlock,
                "the item's class opens only while the device is unlocked")
        case .classBeforeFirstUnlock:
            .init(
                "class.before-first-unlock", .denies, .test, "5", .enterPasscode,
                "the item's class opens only after the first unlock since the device started")
        case .classPasscodeNotSet:
            .init(
                "class.passcode-not-set", .denies, .test, "4.5", .setPasscode,
                "without a device passcode there is no class for when a passcode is set")
        case .classDestroyed:
            .init(
                "class.destroyed", .denies, .test, "4.5", .store,
                "the passcode was removed since the item was stored, which destroyed its class key")
        case .addBeforeFirstUnlock:
            .init(
                "add.before-first-unlock", .denies, .model, nil, .enterPasscode,
                "a protected item is stored only after the first unlock since the device started")
        case .deleteNeverAsks:
            .init(
                "delete.never-asks", .allows, .test, "4.4", .nothing,
                "deleting an item asks nobody, whatever protects it")
        case .inventoryNeedsClassOnly:
            .init(
                "inventory.class-only", .allows, .model, nil, .nothing,
                "the owner's list shows name and demand once the class is open")
        case .operationUnconditional:
            .init(
                "operation.unconditional", .allows, .code, "4.2", .nothing,
                "the access control demands no proof for this operation")
        case .evidenceCounts:
            .init(
                "evidence.counts", .allows, .header, "6.6", .nothing,
                "a factor was proved in this context")
        case .evidenceFromOtherSession:
            .init(
                "evidence.other-session", .discounts, .inference, "6.6", .authenticate,
                "what was proved before the device locked or restarted is void")
        case .evidenceExpired:
            .init(
                "evidence.expired", .discounts, .field, "6.6", .authenticate,
                "what was proved more than ten minutes ago is void")
        case .evidenceOfOtherSet:
            .init(
                "evidence.other-set", .discounts, .model, nil, .authenticate,
                "the match was made against other enrollments than those the item is bound to")
        case .evidenceOfOtherItem:
            .init(
                "evidence.other-item", .discounts, .model, nil, .authenticate,
                "the application password was proved for another item")
        case .unlockReused:
            .init(
                "unlock.reused", .allows, .documentation, "6.5", .nothing,
                "the device was unlocked by biometry within the reuse window")
        case .unlockNotReusable:
            .init(
                "unlock.not-reusable", .discounts, .documentation, "6.5", .authenticate,
                "the last unlock by biometry is too old, or was made against other enrollments")
        case .waySatisfied:
            .init(
                "way.proved", .allows, .code, "4.4", .nothing,
                "everything that one way demands has been proved")
        case .authenticationNeeded:
            .init(
                "proof.needed", .asks, .code, "4.4", .authenticate,
                "someone has to prove one of the ways")
        case .passwordWrong:
            .init(
                "application-password.wrong", .denies, .test, "4.7", .authenticate,
                "the app brought a wrong application password, and nobody may be asked for the right one")
        case .passwordMissing:
            .init(
                "application-password.missing", .denies, .test, "4.7", .authenticate,
                "the app brought no application password, and nobody may be asked for one")
        case .passcodeNotSet:
            .init(
                "passcode.not-set", .denies, .documentation, "4.3", .setPasscode,
                "no device passcode is set")
        case .passcodeDelayed:
            .init(
                "passcode.delayed", .denies, .documentation, "7.3", .wait,
                "after wrong passcodes the device waits before it takes another")
        case .passcodeDisabled:
            .init(
                "passcode.disabled", .denies, .documentation, "7.3", .erase,
                "after too many wrong passcodes the device takes no more")
        case .biometryNoHardware:
            .init(
                "biometry.no-hardware", .denies, .header, "6.2", .otherDevice,
                "the device has no biometric sensor")
        case .biometryNoUsageText:
            .init(
                "biometry.no-usage-text", .denies, .field, "6.3", .declareUsageText,
                "the app declares no NSFaceIDUsageDescription")
        case .biometryNotPermitted:
            .init(
                "biometry.not-permitted", .denies, .field, "6.3", .permitBiometry,
                "biometry was refused to this app")
        case .biometryNotEnrolled:
            .init(
                "biometry.not-enrolled", .denies, .header, "6.2", .enroll,
                "no finger or face is enrolled")
        case .biometryLockedOut:
            .init(
                "biometry.locked-out", .denies, .documentation, "7.1", .enterPasscode,
                "after five failed matches biometry waits for the passcode")
        case .biometryPasscodeRequired:
            .init(
                "biometry.passcode-required", .denies, .documentation, "7.1", .enterPasscode,
                "the device insists on the passcode before it takes biometry again")
        case .biometrySetChanged:
            .init(
                "biometry.current-set.changed", .denies, .code, "4.6", .store,
                "a finger or face was added or removed since the item was stored")
        case .biometrySensorChanged:
            .init(
                "biometry.sensor.changed", .denies, .inference, "4.6", .store,
                "the sensor was wholly reset or replaced since the item was stored")
        case .keyInvalidated:
            .init(
                "key.invalidated", .denies, .field, "4.6", .replace,
                "the key is still found, and cannot be used: the enrollments that it is bound to have changed")
        case .companionNotPaired:
            .init(
                "companion.not-paired", .denies, .header, "6.2", .pairCompanion,
                "no companion is paired")
        case .companionNotNear:
            .init(
                "companion.not-near", .denies, .header, "4.3", .bringCompanion,
                "the companion is away or locked")
        case .deviceLocked:
            .init(
                "device.locked", .denies, .inference, "4.4", .unlock,
                "a locked device shows no prompt, and what is held does not do")
        case .interactionNotAllowed:
            .init(
                "interaction.not-allowed", .denies, .test, "4.4", .authenticate,
                "someone would have to be asked, and the caller allows no asking")
        case .interactionSkipped:
            .init(
                "interaction.skipped", .denies, .test, "4.4", .allowInteraction,
                "the item would have to ask, and the caller passes over such items")
        case .sheetCanceled:
            .init(
                "sheet.cancelled", .denies, .header, "6.2", .authenticate,
                "the holder dismissed the prompt")
        case .sheetFallback:
            .init(
                "sheet.fallback", .denies, .header, "6.4", .authenticate,
                "the holder chose the fallback, and the policy accepts none")
        case .sheetFailed:
            .init(
                "sheet.failed", .denies, .header, "6.2", .authenticate,
                "the holder gave wrong answers until the prompt gave up")
        case .sheetHitLockout:
            .init(
                "sheet.hit-lockout", .denies, .field, "6.4", .enterPasscode,
                "the wrong answers on this prompt reached the limit of failed matches")
        case .sheetSystemCanceled:
            .init(
                "sheet.system-cancelled", .denies, .header, "6.2", .authenticate,
                "the system ended the prompt, as it does when the device locks")
        case .sheetAppCanceled:
            .init(
                "sheet.app-cancelled", .denies, .header, "6.6", .newContext,
                "the app invalidated the context under the prompt")
        case .sheetAuthenticatorUnavailable:
            .init(
                "sheet.judge-unavailable", .denies, .model, nil, .repairAuthenticator,
                "whoever judges the answer could not be asked")
        }
    }
}

extension RuleFacts {
    fileprivate init(
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
