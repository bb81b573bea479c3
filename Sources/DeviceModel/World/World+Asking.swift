internal import AccessPolicy

/// One call on its way: what has been proved for it, and what was asked.
struct Errand {
    let call: Call
    var context: Context
    var prompts = Prompts()
    /// The application password at hand, zero for none: the app's as long as it is not found wrong, or the one that
    /// somebody typed and that was not. What is stored is stored under it.
    var password: UInt8
    /// Whether the app's application password has still to be tried.
    var hasUntriedPassword: Bool
    /// Whether the call only wants to know what would be asked, so that nothing may come of it.
    var onlyAsks: Bool { call.interaction == .preflight }

    init(call: Call, context: Context) {
        self.call = call
        self.context = context
        password = call.applicationPassword
        hasUntriedPassword = call.applicationPassword != 0
    }
}

extension Call {
    /// The call as a request to do `action` with `item`, once context and interaction are known.
    func request(_ action: Action, _ item: Item) -> (Context, Interaction) -> Request {
        { Request(action, item, namesGroup: namesGroup, in: $0, interaction: $1) }
    }
}

/// What an application password has to do.
enum Password {
    /// Open an item: this one does.
    case opens(UInt8)
    /// Be chosen, for an item that is about to be stored. That proves nothing.
    case isChosen
    /// Nothing: there is no item that could tell right from wrong.
    case isUnchecked
}

extension World {
    mutating func settle(
        _ action: Action, _ item: Item, password: Password, storing new: Item? = nil, _ errand: inout Errand
    ) -> Decision {
        let request = errand.call.request(action, item)
        return settle(&errand, item: item.id, password: password, storing: new, request)
    }

    /// Decides, meets the challenge if there is one, and decides again: nothing else ever grants.
    ///
    /// Where `new` is to be stored, that is decided again as well: the holder may have refused the sensor meanwhile.
    mutating func settle(
        _ errand: inout Errand, item: ItemID = ItemID(rawValue: 0), password: Password, storing new: Item? = nil,
        _ request: (Context, Interaction) -> Request
    ) -> Decision {
        while true {
            let conditions = device.conditions(for: errand.call.app)
            if let new, let denial = refusal(toStore: new, errand, conditions) { return .denied(denial) }
            let decision = decide(request(errand.context, errand.call.interaction), under: conditions)
            switch decision {
            case .granted: return decision
            case .denied(let denial):
                if tryPassword(denial.ways, item, password, &errand) { continue }
                return decision
            case .challenge(let ways):
                if errand.call.interaction == .preflight { return decision }
                if tryPassword(ways, item, password, &errand) || askPermission(ways, errand.call) { continue }
                if let rule = ask(ways, item, password, &errand) {
                    return .denied(Denial(rule, under: device.conditions(for: errand.call.app)))
                }
            }
        }
    }

    /// Why `new` can be stored no more, for which a password is at hand if it needs one.
    private func refusal(toStore new: Item, _ errand: Errand, _ conditions: Conditions) -> Denial? {
        var context = errand.context
        context.offersApplicationPassword = true
        return decide(errand.call.request(.add, new)(context, errand.call.interaction), under: conditions).denial
    }

    /// Tries the app's own password, if that is what is missing and it was not tried yet; either way there is news to
    /// decide on. It needs nobody to be asked, but it can be tried only once everything else is proved.
    private mutating func tryPassword(
        _ ways: Ways, _ item: ItemID, _ password: Password, _ errand: inout Errand
    ) -> Bool {
        guard errand.hasUntriedPassword, ways.contains([.applicationPassword]) else { return false }
        if case .isChosen = password { return false }
        errand.hasUntriedPassword = false
        if case .opens(let right) = password, errand.password != right {
            errand.password = 0  // a wrong one is dropped, so that somebody can be asked
            errand.context.passwordRefusedBy = item
            return true
        }
        errand.context.add(Evidence(.applicationPassword, under: device.conditions(for: errand.call.app), item: item))
        return true
    }

    /// A sensor that needs permission asks for it when an app first comes to use it.
    private mutating func askPermission(_ ways: Ways, _ call: Call) -> Bool {
        guard device.conditions(for: call.app).needsPermission(for: ways) else { return false }
        let isGiven = call.person.permitsBiometry && !call.person.dismisses
        _ = apply(isGiven ? .biometryPermitted(call.app) : .biometryDenied(call.app))
        return true
    }

    /// Shows a sheet until it is met or over; the rule by which it is over, if it is.
    private mutating func ask(
        _ ways: Ways, _ item: ItemID, _ password: Password, _ errand: inout Errand
    ) -> Rule? {
        let call = errand.call
        var policy: AuthenticationPolicy?
        if case .policy(let asked) = call.subject { policy = asked }
        let fallback = Sheet.Fallback(proving: policy, isHidden: call.hidesFallback)
        var sheet = Sheet(ways, sensor: device.settings.sensor, fallback: fallback)
        var shown: Factor?
        while true {
            switch sheet.step {
            case .met: return nil
            case .over(let rule): return rule
            case .ask(let factor):
                if factor == .applicationPassword, tryPassword(Ways([factor]), item, password, &errand),
                    errand.context.passwordRefusedBy != item
                {
                    sheet.take(.proved)
                    continue
                }
                if factor != shown { errand.prompts.add(factor) }
                shown = factor
                let answer = call.person.answer(
                    to: factor, wayOut: sheet.wayOut, enrolled: device.enrolled)
                let result = sheet.takesMatch ? judge(answer, password, &errand) : Sheet.Result(afterMatching: answer)
                errand.prompts.record(result)
                if result == .proved {
                    if factor == .applicationPassword, case .isChosen = password {
                        errand.context.offersApplicationPassword = true
                    } else {
                        let conditions = device.conditions(for: call.app)
                        errand.context.add(Evidence(factor, under: conditions, item: item))
                    }
                }
                sheet.take(result)
            }
        }
    }

    private mutating func judge(_ answer: Answer, _ password: Password, _ errand: inout Errand) -> Sheet.Result {
        switch answer {
        case .cancel: return .ended(.sheetCancelled)
        case .fallback: return .fallback
        case .confirm: return device.companion.state == .ready ? .proved : .unavailable(.companionNotNear)
        case .finger(let finger): return Sheet.Result(showing: apply(.presented(finger)), device)
        case .passcode(let code): return Sheet.Result(typing: apply(.passcodeEntered(code)), device)
        case .applicationPassword(let typed):
            if case .opens(let right) = password, typed != right { return .wrong }
            errand.password = typed
            return .proved
        }
    }
}
