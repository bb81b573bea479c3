public import AccessPolicy

extension World {
    /// Lets an app ask, in a context of its own.
    ///
    /// A call changes the world: people's answers are counted, and a read that meets a lost item takes it away (semantics
    /// 3.9), after which it is not found. Ask on a copy, or with `interaction: .preflight`, to change nothing.
    @discardableResult
    public mutating func perform(_ call: Call) -> Outcome {
        var context = Context()
        return perform(call, in: &context)
    }

    /// Lets an app ask in `context`, which keeps what is proved.
    @discardableResult
    public mutating func perform(_ call: Call, in context: inout Context) -> Outcome {
        var errand = Errand(call: call, context: context)
        let decision =
            switch call.subject {
            case .item(let id, let action, let control): perform(action, at: id, demanding: control, &errand)
            case .policy(let policy):
                settle(&errand, password: .isUnchecked) { Request(proving: policy, in: $0, interaction: $1) }
            case .accessControl(let control, .some(let operation)):
                settle(&errand, password: .isUnchecked) {
                    Request(meeting: control, for: operation, in: $0, interaction: $1)
                }
            case .accessControl(let control, nil):
                settleChoosing(&errand) { Request(meeting: control, for: nil, in: $0, interaction: $1) }
            }
        context = errand.context
        context.passwordRefusedBy = nil  // what the app brought to this call says nothing of the next
        return Outcome(decision: decision, prompts: errand.prompts)
    }

    private mutating func perform(
        _ action: Action, at id: SlotID, demanding control: AccessControl?, _ errand: inout Errand
    ) -> Decision {
        guard let slot = self[id] else { return .denied(Denial(.itemNotFound)) }
        if action == .add { return add(at: id, demanding: control, &errand) }
        guard slot.isPresent else {
            return settle(&errand, password: .isUnchecked) { [call = errand.call] in
                Request(
                    action, missingFrom: slot.item.group, namesGroup: call.namesGroup, in: $0, interaction: $1)
            }
        }
        let decision = settle(action, slot.item, password: .opens(slot.applicationPassword), &errand)
        if case .denied(let denial) = decision, !errand.onlyAsks,
            isClearedAway(slot.item, deniedBy: denial.rule, under: device.conditions())
        {
            remove(at: id)
        }
        guard decision.isGranted else { return decision }
        switch action {
        case .delete: if !errand.onlyAsks { remove(at: id) }
        case .update: if let control { return replaceDemand(at: id, by: control, &errand) ?? decision }
        case .add, .readData, .readAttributes, .readReference, .probe, .inventory, .judgeDuplicate, .sign, .agree,
            .decapsulate, .attest:
            break
        }
        return decision
    }

    private mutating func add(at id: SlotID, demanding control: AccessControl?, _ errand: inout Errand) -> Decision {
        let slot = slots[id]
        var item = slot.item
        item.control = control ?? item.control
        let decision = settleStoring(&item, &errand)
        guard decision.isGranted else { return decision }
        if slot.isPresent, loss(of: slot.item, under: device.conditions()) == nil {
            return settle(
                .judgeDuplicate, slot.item, password: .opens(slot.applicationPassword), storing: item, &errand)
        }
        if !errand.onlyAsks { put(item, at: id, applicationPassword: errand.password) }
        return decision
    }

    /// An update that brings a new demand stores the item anew under it, which may be refused as storing may.
    private mutating func replaceDemand(
        at id: SlotID, by control: AccessControl, _ errand: inout Errand
    ) -> Decision? {
        let slot = slots[id]
        var item = slot.item
        item.control = control
        // Who opened the item keeps its password, whichever way that was proved; a new one is chosen where there was none.
        if slot.item.control.needsApplicationPassword { errand.password = slot.applicationPassword }
        let decision = settleStoring(&item, &errand)
        guard decision.isGranted else { return decision }
        if !errand.onlyAsks { put(item, at: id, applicationPassword: errand.password) }
        return nil
    }

    /// Decides whether `item` can be stored as a new one; a password that it needs and nobody brought is asked for.
    private mutating func settleStoring(_ item: inout Item, _ errand: inout Errand) -> Decision {
        item.binding = nil
        item.id = nextID
        let request = errand.call.request(.add, item)
        return settleChoosing(&errand, request)
    }

    /// That a password is at hand is true of this errand, not of the context that lives on.
    private mutating func settleChoosing(
        _ errand: inout Errand, _ request: (Context, Interaction) -> Request
    ) -> Decision {
        let offered = errand.context.offersApplicationPassword
        errand.context.offersApplicationPassword = errand.password != 0
        defer { errand.context.offersApplicationPassword = offered }
        return settle(&errand, password: .isChosen, request)
    }
}
