// The obstacles that can deny a request before any prompt. Each function returns the one rule that denies it, or nil.

/// Returns the rule by which the request is malformed, or its caller has no access to the group.
func callerObstacle(
    to action: Action, in group: AccessGroup, _ namesGroup: Bool, _ interaction: Interaction, _ conditions: Conditions
) -> Rule? {
    if interaction == .skip && action.writes { return .interactionSkipUnsupported }
    if conditions.groups.isEmpty { return .groupNone }
    if group == .token {
        if action.writes { return .groupTokenReadOnly }
        return namesGroup ? nil : .groupHidden
    }
    if conditions.groups.contains(group) { return nil }
    return namesGroup || action == .add ? .groupNamed : .groupHidden
}

/// Returns the rule by which the item's class key is unavailable.
func classObstacle(to action: Action, on item: Item, _ conditions: Conditions) -> Rule? {
    let keyClass = item.control.protection.keyClass
    if keyClass == .whenPasscodeSet {
        if action == .add && conditions.passcodeClassKey == 0 { return .classPasscodeNotSet }
        if let binding = item.binding, classIsDestroyed(binding, conditions) { return .classDestroyed }
    }
    if conditions.openClasses.contains(keyClass) { return nil }
    return conditions.hasFirstUnlock ? .classLocked : .classBeforeFirstUnlock
}

/// Returns the rule by which a synchronizable item cannot be stored.
func syncObstacle(to item: Item, _ conditions: Conditions) -> Rule? {
    if item.control.hasFlags { return .addSynchronizableWithFlags }
    let isBound = item.control.protection.isThisDeviceOnly
    return isBound && conditions.fidelity.boundSynchronizable == .refused ? .addSynchronizableThisDevice : nil
}

/// Returns the rule by which an item under `control` cannot be stored on the device as it is.
///
/// Storing shows no prompt. It is denied if a factor of the policy does not exist on the device.
func storingObstacle(to control: AccessControl, isKey: Bool, _ conditions: Conditions) -> Rule? {
    if !isKey && control.constraint(for: .writeData) == nil { return .operationWithoutEntry }
    if !control.isProtected { return nil }
    if !conditions.hasFirstUnlock { return .addBeforeFirstUnlock }
    for requirement in control.requirements {
        let obstacle: Rule? =
            switch requirement {
            case .presence, .passcode: conditions.passcode == .notSet ? .passcodeNotSet : nil
            case .biometryAny, .biometryCurrentSet: lockoutAtAdd(conditions) ?? biometryAbsence(conditions)
            case .companion: conditions.companion == .notPaired ? .companionNotPaired : nil
            }
        if let obstacle { return obstacle }
    }
    return nil
}

private func lockoutAtAdd(_ conditions: Conditions) -> Rule? {
    conditions.fidelity.addDuringLockout == .refused && conditions.biometry == .lockedOut ? .biometryLockedOut : nil
}

/// Returns the rule by which an item is invalidated, which means that nothing can ever open it again; nil if it is
/// usable.
///
/// An invalidated item counts as missing: a read skips it, and an add replaces it. A private key with guarded use stays
/// findable after an enrollment change, and only its use fails; for that, see ``lastingDenial(of:under:)``.
public func invalidation(of item: Item, under conditions: Conditions) -> Rule? {
    guard let binding = item.binding else { return nil }
    if item.control.protection.keyClass == .whenPasscodeSet && classIsDestroyed(binding, conditions) {
        return .classDestroyed
    }
    return item.control.guardsKeyUse ? nil : lastingStaleness(of: item, bound: binding, conditions)
}

/// Returns the rule by which an item is unusable for good: it is invalidated, or it is a private key whose enrollments
/// have changed.
///
/// Such a key can still be found, listed, replaced and deleted. It can never be used again.
public func lastingDenial(of item: Item, under conditions: Conditions) -> Rule? {
    invalidation(of: item, under: conditions) ?? keyInvalidation(of: item, conditions)
}

/// Returns the rule by which `item`, a private key that can still be found, is unusable for good.
private func keyInvalidation(of item: Item, _ conditions: Conditions) -> Rule? {
    guard item.control.guardsKeyUse, let binding = item.binding else { return nil }
    return lastingStaleness(of: item, bound: binding, conditions) == nil ? nil : .keyInvalidated
}

/// Returns the rule by which no way of the constraint of `item` is left.
private func lastingStaleness(of item: Item, bound binding: Binding, _ conditions: Conditions) -> Rule? {
    if case .any = item.control.guarding { return nil }  // at most one way is biometry, so another is left
    return staleness(of: item.control.guarding, bound: binding, conditions)
}

/// Returns true if the keychain deletes `item` after a denial by `rule`: the item is invalidated, and the caller gets
/// the status of a missing item.
public func isClearedAway(_ item: Item, deniedBy rule: Rule, under conditions: Conditions) -> Bool {
    rule == invalidation(of: item, under: conditions) && isAbsence(rule, conditions.fidelity)
}

/// Returns true if a denial by `rule` tells the caller no more than that there is no such item: its status is
/// `errSecItemNotFound`.
public func isAbsence(_ rule: Rule, _ fidelity: Fidelity) -> Bool {
    switch rule {
    case .groupHidden, .itemNotFound, .interactionSkipped, .classDestroyed: true
    case .biometrySetChanged, .biometrySensorChanged:
        switch fidelity.changedSet {
        case .notFoundWhileBiometryExists, .notFound: true
        case .authFailed: false
        }
    case .flagsOrWithAnd, .flagsTwoBiometries, .flagsPresenceWithOther, .contextInvalidated,
        .interactionSkipUnsupported, .addSynchronizableWithFlags, .addSynchronizableThisDevice, .groupNone, .groupNamed,
        .groupTokenReadOnly, .itemDuplicate, .itemUnbound, .operationWithoutEntry, .classOpen, .classLocked,
        .classBeforeFirstUnlock, .classPasscodeNotSet, .addBeforeFirstUnlock, .deleteNeverAsks,
        .inventoryNeedsClassOnly, .operationUnconditional, .evidenceCounts, .evidenceFromOtherSession, .evidenceExpired,
        .evidenceOfOtherSet, .evidenceOfOtherItem, .unlockReused, .unlockNotReusable, .waySatisfied,
        .authenticationNeeded, .passwordWrong, .passwordMissing, .passcodeNotSet, .passcodeDelayed, .passcodeDisabled,
        .biometryNoHardware, .biometryNoUsageText, .biometryNotPermitted, .biometryNotEnrolled, .biometryLockedOut,
        .biometryPasscodeRequired, .keyInvalidated, .companionNotPaired, .companionNotNear, .deviceLocked,
        .interactionNotAllowed, .sheetCanceled, .sheetFallback, .sheetFailed, .sheetHitLockout, .sheetSystemCanceled,
        .sheetAppCanceled, .sheetAuthenticatorUnavailable:
        false
    }
}

/// Returns the rule that denies `action` on an invalidated item or key; nil if invalidation does not deny the action.
///
/// If the device has no usable biometry, ``Fidelity/changedSet`` decides whether that obstacle is returned instead.
func invalidationAsTold(of item: Item, to action: Action, _ conditions: Conditions) -> Rule? {
    let keyInvalidation = action.meetsConstraintOfKey ? keyInvalidation(of: item, conditions) : nil
    guard let rule = invalidation(of: item, under: conditions) ?? keyInvalidation else { return nil }
    if rule == .classDestroyed || conditions.fidelity.changedSet != .notFoundWhileBiometryExists { return rule }
    return biometryAbsence(conditions) ?? rule
}

private func classIsDestroyed(_ binding: Binding, _ conditions: Conditions) -> Bool {
    conditions.passcodeClassKey == 0 || binding.passcodeClassKey != conditions.passcodeClassKey
}

/// Returns the rule by which biometry can never again satisfy `constraint` for an item with this binding.
func staleness(of constraint: Constraint, bound binding: Binding, _ conditions: Conditions) -> Rule? {
    let present = conditions.domainState
    switch constraint.biometry {
    case .currentSet: return binding.domainState == present ? nil : .biometrySetChanged
    case .anyOfSensor: return binding.domainState.sensor == present.sensor ? nil : .biometrySensorChanged
    case .unbound: return nil
    }
}

/// Returns the first obstacle, in prompting order, to giving the missing factors now.
func firstObstacle(to missing: FactorSet, _ conditions: Conditions) -> Rule? {
    for factor in missing {
        let obstacle: Rule? =
            switch factor {
            case .biometry: biometryObstacle(conditions)
            case .companion: companionObstacle(conditions)
            case .passcode: passcodeObstacle(conditions)
            case .applicationPassword: nil
            }
        if let obstacle { return obstacle }
    }
    return nil
}

/// Returns the rule by which the device or the app has no biometry. A lockout does not count, because it ends.
func biometryAbsence(_ conditions: Conditions) -> Rule? {
    switch conditions.biometry {
    case .noHardware: .biometryNoHardware
    case .noUsageText: .biometryNoUsageText
    case .notPermitted: .biometryNotPermitted
    case .notEnrolled: .biometryNotEnrolled
    case .lockedOut, .notYetPermitted, .ready: conditions.passcode == .notSet ? .passcodeNotSet : nil
    }
}

/// Returns the obstacle to a biometric match now.
///
/// A missing passcode comes after the obstacles of the sensor, in the order that the header gives (semantics 6.3).
private func biometryObstacle(_ conditions: Conditions) -> Rule? {
    if conditions.biometry == .lockedOut { return .biometryLockedOut }
    if let absence = biometryAbsence(conditions) { return absence }
    return conditions.isPasscodeRequired ? .biometryPasscodeRequired : nil
}

private func companionObstacle(_ conditions: Conditions) -> Rule? {
    switch conditions.companion {
    case .notPaired: .companionNotPaired
    case .away, .locked: .companionNotNear
    case .ready: nil
    }
}

private func passcodeObstacle(_ conditions: Conditions) -> Rule? {
    switch conditions.passcode {
    case .notSet: .passcodeNotSet
    case .delayed: .passcodeDelayed
    case .disabled: .passcodeDisabled
    case .ready: nil
    }
}
