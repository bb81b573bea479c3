public import AccessPolicy

/// A call in progress: its context, and the application passwords it can use.
private struct PendingCall {
    let call: Call
    var context: Context
    /// The password that the app supplied, unless it was found wrong; zero for none.
    var ownPassword: UInt8
    /// The password under which the call stores an item: the app's, or the one that the person entered since; zero for
    /// none.
    var storingPassword: UInt8

    init(_ call: Call, _ context: Context) {
        self.call = call
        self.context = context
        ownPassword = call.applicationPassword
        storingPassword = call.applicationPassword
    }

    func request(_ subject: Request.Subject) -> Request {
        Request(subject, in: context, interaction: call.interaction)
    }

    /// Returns the call as a request to store an item. The password belongs to this call, so the request gets it in a
    /// copy of the context.
    func storingRequest(_ subject: Request.Subject, hasPassword: Bool) -> Request {
        var context = context
        context.offersApplicationPassword = hasPassword
        return Request(subject, in: context, interaction: call.interaction)
    }
}

extension World {
    /// Performs a call of an app in a new context.
    ///
    /// A call changes the world: the device counts answers, and a read of an invalidated item deletes it (semantics
    /// 3.9). To leave the world unchanged, perform the call on a copy, or with `interaction: .preflight`. A preflight
    /// still tries the password that the app supplied, and keeps its evidence in the context.
    @discardableResult
    public mutating func perform(_ call: Call) -> Outcome {
        var context = Context()
        return perform(call, in: &context)
    }

    /// Performs a call of an app in a context, which keeps the authentications.
    @discardableResult
    public mutating func perform(_ call: Call, in context: inout Context) -> Outcome {
        perform(call, in: &context) { factor, wayOut, enrolled in
            call.person.answer(to: factor, wayOut: wayOut, enrolled: enrolled)
        }
    }

    /// Performs a call of an app in a context, and gets the answer to each prompt from `answering`: for the factor, the
    /// state of the fallback, and the enrolled set.
    package mutating func perform(
        _ call: Call, in context: inout Context, answering: (Factor, Sheet.WayOut, Fingers) -> Answer
    ) -> Outcome {
        var pending = PendingCall(call, context)
        var negotiation = Negotiation(sensor: device.settings.sensor, hidesFallback: call.hidesFallback)
        while true {
            switch negotiation.step {
            case .decide:
                decideWhole(pending, &negotiation)
            case .tryOwnPassword:
                negotiation.record(ownPassword: tryOwnPassword(negotiation, &pending))
            case .askPermission:
                let isGiven = call.person.permitsBiometry && !call.person.dismisses
                apply(isGiven ? .biometryPermitted(call.app) : .biometryDenied(call.app))
                negotiation.record(permission: .answered)
            case .ask(let factor):
                let answer = answering(factor, negotiation.wayOut, device.enrolled)
                negotiation.record(check(answer, to: factor, negotiation, &pending))
            case .over(let rule):
                negotiation.fail(Denial(rule, under: device.conditions(for: call.app)))
            case .answer(let decision):
                carryOut(decision, pending)
                context = pending.context
                context.passwordRefusedBy = nil  // the next call may supply another password
                return Outcome(decision: decision, prompts: negotiation.prompts)
            }
        }
    }

    // MARK: - Deciding

    /// Decides the whole call, as a transaction of the vault does. The answer is the first part that is not granted; if
    /// all parts of an update with a new policy are granted, it is the grant that opened the item.
    private func decideWhole(_ pending: PendingCall, _ negotiation: inout Negotiation) {
        let call = pending.call
        let conditions = device.conditions(for: call.app)
        func answer(_ request: Request, _ decision: Decision) {
            negotiation.record(decision, on: request, under: conditions)
        }
        func answer(_ request: Request) { answer(request, decide(request, under: conditions)) }
        let hasPassword = pending.storingPassword != 0
        switch call.subject {
        case .policy(let policy): answer(pending.request(.policy(policy)))
        case .accessControl(let control, nil):
            answer(pending.storingRequest(.accessControl(control, nil), hasPassword: hasPassword))
        case .accessControl(let control, let operation): answer(pending.request(.accessControl(control, operation)))
        case .item(let id, let action, let control):
            guard let slot = self[id] else {
                let request = pending.request(.missing(action, .first, namesGroup: call.namesGroup))
                return answer(request, .denied(Denial(.itemNotFound)))
            }
            func storing(hasPassword: Bool) -> Request {
                let new = unstored(slot.item, control: control)
                return pending.storingRequest(
                    .item(new, .add, namesGroup: call.namesGroup), hasPassword: hasPassword)
            }
            if action == .add {
                let request = storing(hasPassword: hasPassword)
                let decision = decide(request, under: conditions)
                let isInTheWay = slot.isPresent && invalidation(of: slot.item, under: device.conditions()) == nil
                guard decision.isGranted && isInTheWay else { return answer(request, decision) }
                return answer(pending.request(.item(slot.item, .checkDuplicate, namesGroup: call.namesGroup)))
            }
            guard slot.isPresent else {
                return answer(pending.request(.missing(action, slot.item.group, namesGroup: call.namesGroup)))
            }
            let request = pending.request(.item(slot.item, action, namesGroup: call.namesGroup))
            let decision = decide(request, under: conditions)
            if decision.isGranted && action == .update && control != nil {
                // An updated item keeps its application password. An item that had none needs a new one.
                let storing = storing(hasPassword: hasPassword || slot.item.control.needsApplicationPassword)
                let stored = decide(storing, under: conditions)
                if !stored.isGranted { return answer(storing, stored) }
            }
            answer(request, decision)
        }
    }

    /// Returns `item` as one that is not stored yet, under the new access policy if there is one.
    private func unstored(_ item: Item, control: AccessControl?) -> Item {
        var new = item
        new.control = control ?? item.control
        new.binding = nil
        new.id = nextID
        return new
    }

    // MARK: - Carrying out

    /// Carries out a decision. A preflight changes nothing.
    private mutating func carryOut(_ decision: Decision, _ pending: PendingCall) {
        guard case .item(let id, let action, let control) = pending.call.subject, let slot = self[id],
            pending.call.interaction != .preflight
        else { return }
        if let denial = decision.denial {
            let isFound = action != .add && slot.isPresent
            if isFound && isClearedAway(slot.item, deniedBy: denial.rule, under: device.conditions()) { remove(at: id) }
            return
        }
        switch action {
        case .delete: remove(at: id)
        case .add:
            put(unstored(slot.item, control: control), at: id, applicationPassword: pending.storingPassword)
        case .update:
            guard control != nil else { break }
            let isKept = slot.item.control.needsApplicationPassword
            put(
                unstored(slot.item, control: control), at: id,
                applicationPassword: isKept ? slot.applicationPassword : pending.storingPassword)
        case .readData, .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .sign, .agree,
            .decapsulate, .attest:
            break
        }
    }

    // MARK: - Asking

    /// Returns the password that opens the item of a call; nil if there is no item to check one against.
    private func rightPassword(_ negotiation: Negotiation, _ pending: PendingCall) -> UInt8? {
        guard negotiation.passwordUse == .opens, case .item(let id, _, _) = pending.call.subject else { return nil }
        return self[id]?.applicationPassword
    }

    private func tryOwnPassword(_ negotiation: Negotiation, _ pending: inout PendingCall) -> Negotiation.OwnPassword {
        guard pending.ownPassword != 0 else { return .none }
        if let right = rightPassword(negotiation, pending), pending.ownPassword != right {
            pending.context.passwordRefusedBy = negotiation.item
            // Discard a wrong password. An add keeps it for the new item, because only the existing item has another
            // one.
            if case .item(_, .add, _) = pending.call.subject { return .wrong }
            pending.ownPassword = 0
            pending.storingPassword = 0
            return .wrong
        }
        addEvidence(.applicationPassword, negotiation, &pending)
        return .authenticated
    }

    private mutating func check(
        _ answer: Answer, to factor: Factor, _ negotiation: Negotiation, _ pending: inout PendingCall
    ) -> Sheet.Result {
        guard negotiation.acceptsMatch else { return Sheet.Result(afterMatching: answer) }
        let result: Sheet.Result
        switch answer {
        case .cancel: result = .ended(.sheetCanceled)
        case .fallback: result = .fallback
        case .confirm: result = device.companion.state == .ready ? .authenticated : .unavailable(.companionNotNear)
        case .finger(let finger): result = Sheet.Result(showing: apply(.presented(finger)), device)
        case .passcode(let code): result = Sheet.Result(typing: apply(.passcodeEntered(code)), device)
        case .applicationPassword(let typed):
            let right = rightPassword(negotiation, pending) ?? typed
            result = typed == right ? .authenticated : .wrong
            if result == .authenticated { pending.storingPassword = typed }
        }
        let isChosen = factor == .applicationPassword && negotiation.passwordUse == .chosen
        if result == .authenticated && !isChosen { addEvidence(factor, negotiation, &pending) }
        return result
    }

    private func addEvidence(_ factor: Factor, _ negotiation: Negotiation, _ pending: inout PendingCall) {
        let conditions = device.conditions(for: pending.call.app)
        pending.context.add(Evidence(factor, under: conditions, item: negotiation.item))
    }
}
