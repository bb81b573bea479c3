/// Decides whether `request` may go ahead under `conditions`.
///
/// The only place that ever says yes. It asks nobody, reads no clock and touches no key: what it needs to know it is
/// told, and what has to be proved it names.
public func decide(_ request: Request, under conditions: Conditions) -> Decision {
    var recorder = NoRecorder()
    return evaluate(request, conditions, &recorder)
}

/// Decides, and fills `trace` with every rule that fired.
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
        // Who may open the item in the way has found it alive, and learns that it is a duplicate.
        return action == .checkDuplicate && decision.isGranted ? deny(.itemDuplicate, &recorder) : decision
    case .missing(let action, let group, let namesGroup):
        let obstacle = callerObstacle(to: action, in: group, namesGroup, request.interaction, conditions)
        return deny(obstacle ?? .itemNotFound, &recorder)
    case .policy(let policy):
        let demand = Demand(policy.constraint, binding: conditions.binding)
        return meet(demand, request, conditions, &recorder)
    case .accessControl(let control, let operation):
        // An access control of no item is tied to the present set for the length of one evaluation.
        if operation == nil, let rule = storingObstacle(to: control, isKey: control.guardsKeyUse, conditions) {
            return deny(rule, &recorder)
        }
        guard let demand = Demand(of: control, for: operation, conditions) else {
            return deny(.operationWithoutEntry, &recorder)
        }
        return meet(demand, request, conditions, &recorder)
    }
}

/// Grants when the evidence satisfies a way; else asks, if there is anyone to ask and anything that they could prove.
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
            // Named is the obstacle of the first way; but the passcode, where it is one, is what everybody falls back on.
            if obstacle == nil || way.contains(.passcode) { obstacle = rule }
        } else {
            open.append(missing)
        }
    }

    // Passing over an item, and a locked screen, come before the question what could be proved; a caller who forbids
    // asking still learns that nothing could be.
    if request.interaction == .skip { return deny(.interactionSkipped, couldAuthenticate: open, &recorder) }
    if conditions.isLocked && request.interaction != .preflight {
        return deny(.deviceLocked, couldAuthenticate: open, &recorder)
    }
    if open.isEmpty {
        // No obstacle and no way either: a constraint that no flags build. It is met by nothing.
        return .denied(Denial(obstacle ?? .operationWithoutEntry, under: conditions))
    }
    if request.interaction == .fail {
        let wasWrong = request.context.passwordRefusedBy == demand.item
        return deny(unaskedRule(demand, missing: open, wasWrong: wasWrong), couldAuthenticate: open, &recorder)
    }
    recorder.record(.authenticationNeeded)
    return .challenge(open)
}

/// Why a request fails that would have to ask, and may not. The application brings its own password to open an item, and
/// nobody has to be asked for it: it is missing or wrong where nothing else is left to prove.
private func unaskedRule(_ demand: Demand, missing ways: Ways, wasWrong: Bool) -> Rule {
    guard ways.factors.contains(.applicationPassword) else { return .interactionNotAllowed }
    if wasWrong { return .passwordWrong }
    return ways.contains([.applicationPassword]) && !demand.choosesPassword ? .passwordMissing : .interactionNotAllowed
}

private func deny<R: Recorder>(_ rule: Rule, couldAuthenticate ways: Ways = Ways(), _ recorder: inout R) -> Decision {
    recorder.record(rule)
    return .denied(Denial(rule, ways: ways))
}
