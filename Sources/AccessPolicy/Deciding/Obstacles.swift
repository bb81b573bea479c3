// Everything that can stand in the way of a request before anybody is asked. Each function names the one rule that
// does, or none.

/// What is wrong with the request as it is put, or with the caller.
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

/// What keeps the item's class key away.
func classObstacle(to action: Action, on item: Item, _ conditions: Conditions) -> Rule? {
    let keyClass = item.control.protection.keyClass
    if keyClass == .whenPasscodeSet {
        if action == .add && conditions.passcodeClassKey == 0 { return .classPasscodeNotSet }
        if let binding = item.binding, classIsDestroyed(binding, conditions) { return .classDestroyed }
    }
    if conditions.openClasses.contains(keyClass) { return nil }
    return conditions.hasFirstUnlock ? .classLocked : .classBeforeFirstUnlock
}

/// What keeps an item from being stored as one that travels through iCloud Keychain.
func syncObstacle(to item: Item, _ conditions: Conditions) -> Rule? {
    if item.control.hasFlags { return .addSynchronizableWithFlags }
    let isBound = item.control.protection.isThisDeviceOnly
    return isBound && conditions.fidelity.boundSynchronizable == .refused ? .addSynchronizableThisDevice : nil
}

/// What keeps an item under `control` from being stored. Nobody is asked, but what could never be met is not stored.
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

/// Whether `item` is lost: no way to open it is left, for good, and the rule by which that is so.
///
/// A lost item counts as one that is not there: a read passes over it and an add replaces it. A private key whose use is
/// guarded stays: its row is under no constraint, and only its use fails (``lastingDenial(of:under:)``).
public func invalidation(of item: Item, under conditions: Conditions) -> Rule? {
    guard let binding = item.binding else { return nil }
    if item.control.protection.keyClass == .whenPasscodeSet && classIsDestroyed(binding, conditions) {
        return .classDestroyed
    }
    return item.control.guardsKeyUse ? nil : lastingStaleness(of: item, bound: binding, conditions)
}

/// Returns the rule by which `item` is unusable for everyone: it can never be opened again, or it is an invalidated key.
///
/// An invalidated key is still found, listed, replaced and deleted. Only its use is over, for good.
public func lastingDenial(of item: Item, under conditions: Conditions) -> Rule? {
    invalidation(of: item, under: conditions) ?? keyInvalidation(of: item, conditions)
}

/// Returns the rule by which `item`, a private key that is still there, is unusable for everyone.
private func keyInvalidation(of item: Item, _ conditions: Conditions) -> Rule? {
    guard item.control.guardsKeyUse, let binding = item.binding else { return nil }
    return lastingStaleness(of: item, bound: binding, conditions) == nil ? nil : .keyInvalidated
}

/// The rule by which no way to meet the constraint of `item` is left, for good.
private func lastingStaleness(of item: Item, bound binding: Binding, _ conditions: Conditions) -> Rule? {
    if case .any = item.control.guarding { return nil }  // one biometry at most, so another way is left
    return staleness(of: item.control.guarding, bound: binding, conditions)
}

/// Returns true if `item`, denied by `rule`, goes: it is lost, and who asked for it was told that it is not there.
public func isClearedAway(_ item: Item, deniedBy rule: Rule, under conditions: Conditions) -> Bool {
    rule == invalidation(of: item, under: conditions) && isAbsence(rule, conditions.fidelity)
}

/// Returns true if a denial by `rule` says that the item is not there.
public func isAbsence(_ rule: Rule, _ fidelity: Fidelity) -> Bool {
    AppleStatus(rule, fidelity)?.status == .itemNotFound
}

/// The rule by which `action` is denied on an item that is lost, or on a key that nobody can use any more; nil where
/// neither stands in its way.
func invalidationAsTold(of item: Item, to action: Action, _ conditions: Conditions) -> Rule? {
    let keyInvalidation = action.meetsConstraintOfKey ? keyInvalidation(of: item, conditions) : nil
    guard let rule = invalidation(of: item, under: conditions) ?? keyInvalidation else { return nil }
    if rule == .classDestroyed || conditions.fidelity.changedSet != .notFoundWhileBiometryExists { return rule }
    return biometryAbsence(conditions) ?? rule
}

private func classIsDestroyed(_ binding: Binding, _ conditions: Conditions) -> Bool {
    conditions.passcodeClassKey == 0 || binding.passcodeClassKey != conditions.passcodeClassKey
}

/// The rule by which biometry can never again meet `constraint` for an item bound like this.
func staleness(of constraint: Constraint, bound binding: Binding, _ conditions: Conditions) -> Rule? {
    let present = conditions.domainState
    switch constraint.biometry {
    case .currentSet: return binding.domainState == present ? nil : .biometrySetChanged
    case .anyOfSensor: return binding.domainState.sensor == present.sensor ? nil : .biometrySensorChanged
    case .unbound: return nil
    }
}

/// What keeps the missing factors from being proved now: the first obstacle in asking order.
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

/// Why there is no biometry to speak of. A lockout ends, so it is none of the reasons.
func biometryAbsence(_ conditions: Conditions) -> Rule? {
    switch conditions.biometry {
    case .noHardware: .biometryNoHardware
    case .noUsageText: .biometryNoUsageText
    case .notPermitted: .biometryNotPermitted
    case .notEnrolled: .biometryNotEnrolled
    case .lockedOut, .notYetPermitted, .ready: conditions.passcode == .notSet ? .passcodeNotSet : nil
    }
}

/// The obstacles to biometry now.
///
/// The header names no passcode only where biometry is available, enrolled and not locked out (semantics 6.3).
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
