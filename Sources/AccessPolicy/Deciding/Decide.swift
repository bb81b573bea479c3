/// Decides whether a request may go ahead under the given conditions.
///
/// Every grant in the project comes from this function. It is pure: it shows no prompt, reads no clock and touches no
/// key. The caller passes in the facts, and acts on the answer: it opens the item, prompts for one of the ways of a
/// challenge and asks again, or reports the denial.
///
/// ```swift
/// let policy = try AccessControl(
///     protection: .whenUnlockedThisDeviceOnly, flags: [.biometryCurrentSet, .or, .devicePasscode])
/// let device = Conditions()
/// let token = Item(policy, binding: device.binding)
///
/// var context = Context()
/// let first = decide(Request(.readData, token, in: context), under: device)
/// // A challenge: prompt for biometry, and let the user fall back on the passcode.
///
/// context.add(Evidence(.biometry, under: device))
/// let second = decide(Request(.readData, token, in: context), under: device)
/// // Granted: biometry alone satisfies the policy.
///
/// var locked = device
/// locked.isLocked = true
/// locked.openClasses = [.always, .afterFirstUnlock]
/// let third = decide(Request(.readData, token), under: locked)
/// // Denied by class.locked. The remedy is to unlock the device.
/// ```
///
/// - Parameters:
///   - request: The action, the item, and the context in which the user has authenticated so far.
///   - conditions: The state of the device at this moment, as the requesting app sees it.
/// - Returns: A grant, a challenge that lists the factors to prompt for, or a denial that names its rule.
public func decide(_ request: Request, under conditions: Conditions) -> Decision {
    var recorder = NoRecorder()
    return evaluate(request, conditions, &recorder)
}

/// Decides whether a request may go ahead, and records every rule that fired.
///
/// - Parameters:
///   - request: The action, the item, and the context in which the user has authenticated so far.
///   - conditions: The state of the device at this moment, as the requesting app sees it.
///   - trace: The rules that fired, in order. Its former content is replaced.
/// - Returns: The same answer as ``decide(_:under:)->Decision``.
public func decide(_ request: Request, under conditions: Conditions, into trace: inout Trace) -> Decision {
    trace = Trace()
    return evaluate(request, conditions, &trace)
}

private func evaluate<R: Recorder>(_ request: Request, _ conditions: Conditions, _ recorder: inout R) -> Decision {
    if request.context.isInvalidated { return deny(.contextInvalidated, &recorder) }
    switch request.subject {
    case .item(let item, let action, let namesGroup):
        if let rule = callerObstacle(to: action, in: item.group, namesGroup, request.interaction, conditions) {
            return deny(rule, &recorder)
        }
        if action != .delete {
            if let rule = classObstacle(to: action, on: item, conditions) { return deny(rule, &recorder) }
            recorder.record(.classOpen)
        }
        switch action {
        case .delete, .inventory:
            recorder.record(action == .delete ? .deleteNeverAsks : .inventoryNeedsClassOnly)
            return .granted(Grant(way: [], reusesUnlock: false))
        case .add:
            if item.isSynchronizable, let rule = syncObstacle(to: item, conditions) { return deny(rule, &recorder) }
            if let rule = storingObstacle(to: item.control, isKey: item.isKey, conditions) {
                return deny(rule, &recorder)
            }
        case .readData, .readAttributes, .readReference, .probe, .update, .checkDuplicate, .sign, .agree, .decapsulate,
            .attest:
            guard item.binding != nil else { return deny(.itemUnbound, &recorder) }
            if let rule = invalidationAsTold(of: item, to: action, conditions) { return deny(rule, &recorder) }
        }
        guard let demand = Demand(of: item, for: action, conditions.fidelity) else {
            return deny(.operationWithoutEntry, &recorder)
        }
        let decision = meet(demand, request, conditions, &recorder)
        // A caller that may open the existing item learns that it is usable, and so a duplicate.
        return action == .checkDuplicate && decision.isGranted ? deny(.itemDuplicate, &recorder) : decision
    case .missing(let action, let group, let namesGroup):
        let obstacle = callerObstacle(to: action, in: group, namesGroup, request.interaction, conditions)
        return deny(obstacle ?? .itemNotFound, &recorder)
    case .policy(let policy):
        let demand = Demand(policy.constraint, binding: conditions.binding)
        return meet(demand, request, conditions, &recorder)
    case .accessControl(let control, let operation):
        // Without an item, the access control is bound to the present enrolled set for this one evaluation.
        if operation == nil, let rule = storingObstacle(to: control, isKey: control.guardsKeyUse, conditions) {
            return deny(rule, &recorder)
        }
        guard let demand = Demand(of: control, for: operation, conditions) else {
            return deny(.operationWithoutEntry, &recorder)
        }
        return meet(demand, request, conditions, &recorder)
    }
}

/// Grants if the evidence satisfies one way. Otherwise challenges, if the device can show a prompt, the caller allows
/// one, and the user could give a missing factor now.
private func meet<R: Recorder>(
    _ demand: Demand, _ request: Request, _ conditions: Conditions, _ recorder: inout R
) -> Decision {
    let ways = demand.liveWays(conditions, &recorder)
    let held = demand.held(of: ways.factors, in: request.context, conditions, &recorder)
    for way in ways where way.isSubset(of: held.factors) {
        recorder.record(way.isEmpty ? .operationUnconditional : .waySatisfied)
        return .granted(Grant(way: way, reusesUnlock: held.reusesUnlock && way.contains(.biometry)))
    }

    var open = Ways()
    var obstacle: Rule?
    for way in ways {
        let missing = way.subtracting(held.factors)
        if let rule = firstObstacle(to: missing, conditions) {
            recorder.record(rule)
            // Report the obstacle to the first way. An obstacle to the passcode takes precedence, because the passcode
            // is the last fallback.
            if obstacle == nil || way.contains(.passcode) { obstacle = rule }
        } else {
            open.append(missing)
        }
    }

    // Skipping and a locked screen take precedence over obstacles. Forbidden prompts come last, so that a caller that
    // forbids them still learns of an obstacle.
    if request.interaction == .skip { return deny(.interactionSkipped, couldAuthenticate: open, &recorder) }
    if conditions.isLocked && request.interaction != .preflight {
        return deny(.deviceLocked, couldAuthenticate: open, &recorder)
    }
    if open.isEmpty {
        // No obstacle and no way: no combination of flags builds such a constraint, so nothing satisfies it.
        return .denied(Denial(obstacle ?? .operationWithoutEntry, under: conditions))
    }
    if request.interaction == .fail {
        let wasWrong = request.context.passwordRefusedBy == demand.item
        return deny(unaskedRule(demand, missing: open, wasWrong: wasWrong), couldAuthenticate: open, &recorder)
    }
    recorder.record(.authenticationNeeded)
    return .challenge(open)
}

/// Returns the rule that denies a request which needs authentication and forbids prompts.
///
/// An app can supply the application password without a prompt. If that is the only missing factor, the rule
/// tells a missing password from a wrong one.
private func unaskedRule(_ demand: Demand, missing ways: Ways, wasWrong: Bool) -> Rule {
    guard ways.factors.contains(.applicationPassword) else { return .interactionNotAllowed }
    if wasWrong { return .passwordWrong }
    return ways.contains([.applicationPassword]) && !demand.choosesPassword ? .passwordMissing : .interactionNotAllowed
}

private func deny<R: Recorder>(_ rule: Rule, couldAuthenticate ways: Ways = Ways(), _ recorder: inout R) -> Decision {
    recorder.record(rule)
    return .denied(Denial(rule, ways: ways))
}
