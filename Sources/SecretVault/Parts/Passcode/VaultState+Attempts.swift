internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// The steps of an attempt at the passcode. Between them, only the lock of attempts is held: stretching a passcode takes
// long, and another authenticator may take longer.

extension VaultState {
    /// The answer to an attempt that is about to begin.
    enum Beginning {
        /// No passcode is accepted now.
        case refused(Effects)
        /// The attempt can go on, with the passcode stretched at this cost and with this salt.
        case stretch(StretchCost, salt: [UInt8])
    }

    /// Checks whether a passcode is accepted now.
    mutating func beginAttempt(_ attempt: Attempt) throws -> Beginning {
        try refresh()
        try endFormerWhenOver()
        if let refusal = refusal(of: attempt) { return .refused(refusal) }
        return .stretch(bag.cost, salt: bag.salt)
    }

    /// Records the attempt before it is checked, so that an attacker who cuts the power to hide a wrong one has still
    /// used it up.
    ///
    /// Returns a refusal if the attempt is not accepted after all. `isCurrent` is false if the keybag's salt or cost
    /// changed after the passcode was stretched.
    mutating func noteAttempt(_ stretched: borrowing Stretched, _ attempt: Attempt) throws
        -> (refusal: Effects?, isCurrent: Bool)
    {
        let tag = store.fixed.attempt(stretched.key)
        return try lockedAndRefreshed { vault in
            if let refusal = vault.refusal(of: attempt) { return (refusal, true) }
            guard stretched.isOf(vault.bag) else { return (nil, false) }
            try vault.note(attempt: tag)
            // After a lock the attempt is neither checked nor counted.
            if vault.isOver(attempt) { return (try vault.withdrawAttempt(.promptOver), true) }
            // An earlier attempt that was never checked has been counted by now, and may have begun a delay.
            return (vault.refusal(of: attempt), true)
        }
    }

    /// Checks the recorded attempt by opening the keybag, unless another authenticator has refused it. Passes the root
    /// to `body`, or nil if the passcode was wrong or was not checked.
    mutating func finishAttempt<Result>(
        _ verdict: OtherVerdict, _ passcode: borrowing SecureBytes, _ stretched: borrowing Stretched,
        _ attempt: Attempt, in context: ContextState?,
        _ body: (inout VaultState, borrowing Key?, Effects) throws -> Result
    ) throws -> Result {
        try lockedAndRefreshed { vault in
            if verdict == .unavailable {
                return try body(&vault, nil, try vault.withdrawAttempt(.authenticatorUnavailable))
            }
            if verdict == .accepted, vault.isOver(attempt) {
                return try body(&vault, nil, try vault.withdrawAttempt(.promptOver))
            }
            // No program changes the salt while this one holds the lock of attempts, but another vault may have
            // replaced this one.
            if stretched.isOf(vault.bag) {
                return try vault.finish(verdict, stretched.key, attempt, in: context, body)
            }
            return try vault.finish(verdict, try Stretched(passcode, vault.bag).key, attempt, in: context, body)
        }
    }

    private mutating func finish<Result>(
        _ verdict: OtherVerdict, _ stretched: borrowing Key, _ attempt: Attempt, in context: ContextState?,
        _ body: (inout VaultState, borrowing Key?, Effects) throws -> Result
    ) throws -> Result {
        let right = device.passcode ?? PasscodeAttempts.first
        let present = verdict == .accepted ? try bag.root(stretched, store.fixed) : nil
        let isFormer = !Gates.isThere(present)
        let root =
            isFormer && verdict == .accepted ? try bag.formerRoot(stretched, at: device.now, store.fixed) : present
        let checking: Void? = try Gates.lend(root) { try checkSettings(with: $0) }
        // The other authenticator was not asked, because the settings that name it were not checked yet.
        if checking != nil, verdict == .accepted, !attempt.hadCheckedSettings {
            return try body(&self, nil, try withdrawAttempt(.authenticatorUnavailable))
        }
        let effects: Effects
        let noted = (bag: bag, device: device)
        do {
            switch root {
            case .none: effects = try countWrongAttempt(store.fixed.attempt(stretched))
            case .some(let root):
                bag.attempts.pending = nil
                // The present passcode has opened the vault, so the former one ends. If another authenticator has
                // accepted the former one, its password was never changed, and that one is the present one again.
                let endsFormer = bag.former != nil && (!isFormer || attempt.isJudged)
                if isFormer {
                    var next = bag
                    if attempt.isJudged { try next.wrap(root, stretch: stretched, store.fixed) }
                    bag = next
                } else {
                    bag.former = nil
                }
                effects = try happen(
                    .passcodeEntered(right), EventKeys(root: try root.copy()), committing: true, destroying: endsFormer)
            }
        } catch {
            // The verdict is not on record, but the attempt is, and the next program that looks has to count it.
            (bag, device) = noted
            isUncertain = true
            throw error
        }
        guard effects.authenticated(.passcode) else { return try body(&self, nil, effects) }
        switch root {
        case .none: break
        case .some(let root):
            // The attempt is committed, so the rest must not fail for lack of memory.
            let store = store
            try store.reserve.lend {
                try ring.change { contents in
                    if !Gates.isThere(contents.keys.gate) { contents.keys.gate = try bag.openGateKey(root) }
                    contents.keys.settings = try Keybag.settingsKey(root)
                }
            }
            try ensureGates()
            try store.reserve.lend {
                // A context that was invalidated meanwhile receives nothing.
                if let context, !context.context.isInvalidated {
                    try ring.change { context.held(in: $0).gates.passcode = try bag.openPasscodeGate(root) }
                    context.context.add(Evidence(.passcode, under: device.conditions()))
                }
            }
        }
        // If the device was locked during the check, the passcode counts as right but opens nothing.
        if ring.hasLocked {
            context?.wipe([.passcode])
            return try body(&self, nil, Effects(.refused(.promptOver)))
        }
        return try body(&self, root, effects)
    }

    /// Removes the recorded attempt, which was not checked and does not count.
    private mutating func withdrawAttempt(_ refusal: Refusal) throws -> Effects {
        try withdrawPending()
        return Effects(.refused(refusal))
    }

    private func isOver(_ attempt: Attempt) -> Bool { attempt.epoch != ring.epoch || isOver(attempt.sheet) }

    private func refusal(of attempt: Attempt) -> Effects? {
        isOver(attempt) ? Effects(.refused(.promptOver)) : passcodeRefusal
    }

    /// The reason why no passcode is accepted now; nil if one is.
    private var passcodeRefusal: Effects? {
        if device.passcodeState == .ready { return nil }
        var asked = device
        return asked.apply(.passcodeEntered(PasscodeAttempts.first))
    }

    private mutating func note(attempt: Tag) throws {
        try recording { vault in
            try vault.transaction(lasting: true) { vault in
                var bag = vault.bag
                var device = vault.device
                bag.attempts.countPending(on: &device)
                if device.passcodeState == .ready { bag.attempts.pending = attempt }
                try vault.commit(bag, device, destroying: false)
            }
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
