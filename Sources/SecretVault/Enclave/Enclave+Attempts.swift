internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// How an attempt at the passcode goes, step by step. Between the steps nobody's lock is held but that of attempts: stretching
// a passcode takes long, and another authenticator may take longer.

extension Enclave {
    /// What an attempt that is about to be made needs.
    enum Beginning {
        /// No passcode is taken now.
        case refused(Effects)
        /// One is: it is stretched like this.
        case stretch(StretchCost, salt: [UInt8])
    }

    /// Looks whether a passcode is taken now.
    mutating func beginAttempt(_ attempt: Attempt) throws -> Beginning {
        try refresh()
        if let refusal = refusal(of: attempt) { return .refused(refusal) }
        return .stretch(bag.cost, salt: bag.salt)
    }

    /// Puts the attempt on record before it is checked: pulling the plug to hide a wrong one uses it up. Returns why it
    /// is not taken after all, if it is not; `isCurrent` says whether it was stretched as the keybag still says.
    mutating func noteAttempt(_ stretched: borrowing Stretched, _ attempt: Attempt) throws
        -> (refusal: Effects?, isCurrent: Bool)
    {
        let tag = store.fixed.attempt(stretched.key)
        return try lockedAndRefreshed { enclave in
            if let refusal = enclave.refusal(of: attempt) { return (refusal, true) }
            guard stretched.isOf(enclave.bag) else { return (nil, false) }
            try enclave.note(attempt: tag)
            // After a lock the attempt is not checked any more, and does not count.
            if enclave.isOver(attempt) { return (try enclave.withdrawAttempt(.promptOver), true) }
            // An attempt that was left unchecked has been counted by now, and may have begun a delay.
            return (enclave.refusal(of: attempt), true)
        }
    }

    /// Checks what is on record by whether it opens the keybag, unless another authenticator has refused it; lends out the root
    /// while it is there. Nil to `body` when the passcode was wrong or not checked.
    mutating func finishAttempt<Result>(
        _ verdict: OtherVerdict, _ passcode: borrowing SecureBytes, _ stretched: borrowing Stretched,
        _ attempt: Attempt, in context: ContextState?,
        _ body: (inout Enclave, borrowing Key?, Effects) throws -> Result
    ) throws -> Result {
        try lockedAndRefreshed { enclave in
            if verdict == .unavailable {
                return try body(&enclave, nil, try enclave.withdrawAttempt(.authenticatorUnavailable))
            }
            if verdict == .accepted, enclave.isOver(attempt) {
                return try body(&enclave, nil, try enclave.withdrawAttempt(.promptOver))
            }
            // Nobody changes the salt as long as the lock of attempts is held; a vault that was put in this one's place might.
            if stretched.isOf(enclave.bag) {
                return try enclave.finish(verdict, stretched.key, in: context, body)
            }
            return try enclave.finish(verdict, try Stretched(passcode, enclave.bag).key, in: context, body)
        }
    }

    private mutating func finish<Result>(
        _ verdict: OtherVerdict, _ stretched: borrowing Key, in context: ContextState?,
        _ body: (inout Enclave, borrowing Key?, Effects) throws -> Result
    ) throws -> Result {
        let right = device.passcode ?? PasscodeAttempts.first
        let root = verdict == .accepted ? try bag.root(stretched, store.fixed) : nil
        let effects: Effects
        let noted = (bag: bag, device: device)
        do {
            switch root {
            case .none: effects = try countWrongAttempt(store.fixed.attempt(stretched))
            case .some(let root):
                bag.attempts.pending = nil
                try bag.commitToPasscode(root, stretch: stretched, store.fixed)
                effects = try happen(.passcodeEntered(right), EventKeys(root: try root.copy()), committing: true)
            }
        } catch {
            // The verdict is not on record, but the attempt is, and whoever comes next has to count it.
            (bag, device) = noted
            isUncertain = true
            throw error
        }
        guard effects.authenticated(.passcode) else { return try body(&self, nil, effects) }
        switch root {
        case .none: break
        case .some(let root):
            // The attempt is committed: what follows from it has memory of its own.
            let store = store
            try store.reserve.lend {
                try ring.change { contents in
                    if !Gates.isThere(contents.keys.gate) { contents.keys.gate = try bag.openGateKey(root) }
                }
            }
            try ensureGates()
            try store.reserve.lend {
                // One that was ended meanwhile takes nothing any more.
                if let context, !context.context.isInvalidated {
                    try ring.change { context.held(in: $0).gates.passcode = try bag.openPasscodeGate(root) }
                    context.context.add(Evidence(.passcode, under: device.conditions()))
                }
            }
        }
        // A lock that came while it was checked has the last word. The passcode counts as right, but opens nothing.
        if ring.hasLocked {
            context?.wipe([.passcode])
            return try body(&self, nil, Effects(.refused(.promptOver)))
        }
        return try body(&self, root, effects)
    }

    private mutating func lockedAndRefreshed<Result>(_ body: (inout Enclave) throws -> Result) throws -> Result {
        let store = store
        return try store.locked {
            try refresh()
            return try body(&self)
        }
    }

    /// Takes back what is on record: it was not checked, and does not count.
    private mutating func withdrawAttempt(_ refusal: Refusal) throws -> Effects {
        if bag.attempts.pending != nil {
            try transaction(lasting: true) { enclave in
                var bag = enclave.bag
                bag.attempts.pending = nil
                try enclave.commit(bag, enclave.device, destroying: false)
            }
        }
        return Effects(.refused(refusal))
    }

    /// A ticket for a prompt that is shown now; nil where the device is locked, and shows none.
    mutating func openSheet() throws -> SheetTicket? {
        try refresh()
        return device.isLocked ? nil : SheetTicket(session: device.session)
    }

    /// The same for a prompt by which the device is to be unlocked: one that is locked meanwhile stays so.
    mutating func openSheetToUnlock() throws -> SheetTicket {
        try refresh()
        return SheetTicket(session: device.session, epoch: ring.epoch)
    }

    /// Returns true if nothing that comes of the prompt counts any more.
    func isOver(_ sheet: SheetTicket?) -> Bool {
        guard let sheet else { return false }
        if device.session != sheet.session { return true }
        return sheet.epoch.map { $0 != ring.epoch } ?? device.isLocked
    }

    private func isOver(_ attempt: Attempt) -> Bool { attempt.epoch != ring.epoch || isOver(attempt.sheet) }

    /// The same, once what others have changed is known.
    mutating func isOverNow(_ sheet: SheetTicket) throws -> Bool {
        try refresh()
        return isOver(sheet)
    }

    private func refusal(of attempt: Attempt) -> Effects? {
        isOver(attempt) ? Effects(.refused(.promptOver)) : passcodeRefusal
    }

    /// Why no passcode is taken now; nil when one is.
    private var passcodeRefusal: Effects? {
        if device.passcodeState == .ready { return nil }
        var asked = device
        return asked.apply(.passcodeEntered(PasscodeAttempts.first))
    }

    static func requirePasscodeLength(_ passcode: borrowing SecureBytes) throws {
        guard passcode.canBePasscode else { throw VaultError.passcodeLength(passcode.count) }
    }

    private mutating func note(attempt: Tag) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            var device = enclave.device
            bag.attempts.countPending(on: &device)
            if device.passcodeState == .ready { bag.attempts.pending = attempt }
            try enclave.commit(bag, device, destroying: false)
        }
    }

    private mutating func countWrongAttempt(_ attempt: Tag) throws -> Effects {
        bag.attempts.pending = nil
        var numbered = device
        let code = bag.attempts.number(ofWrong: attempt, on: &numbered)
        device = numbered
        return try happen(.passcodeEntered(code), EventKeys(), committing: true)
    }
}
