public import AccessPolicy
public import DeviceModel

/// A move: something that one person does.
public struct Move: Hashable, Sendable {
    /// The content of a move.
    public enum Deed: Hashable, Sendable {
        /// The person causes this event, as far as the device lets them.
        case event(Event)
        /// The person has this app make a request for an item.
        case request(Action, SlotID, AppID)
        /// The person makes this use of the file at this index, through the app or in a backup.
        case file(FileUse, Int)
        /// The person makes this move in the owner's account.
        case account(AccountMove)
        /// The person deletes the item on a device of their own that is in the circle of the owner's account.
        case deletionOnOwn(SlotID)
        /// The secret that the owner stores next on another device arrives on the device at hand.
        case arrivalOfNext(SlotID)
    }

    /// The index of the person among the profiles of the search.
    public var actor: Int
    /// The content of the move.
    public var deed: Deed
}

extension Move.Deed {
    /// True if the move restores the backup onto a device.
    var isRestore: Bool { self == .event(.restoredOntoThisDevice) || self == .event(.restoredOntoAnotherDevice) }
}

extension Actor {
    /// Calls `body` with every move that the person might make in `situation`, always in the same order.
    ///
    /// The model decides which of these moves succeed. Moves that could not lead to anything new are left out:
    ///
    /// - Of fingers and guesses that are interchangeable, only one is offered.
    /// - Of waits, only three are offered: until the device takes a passcode again, until the security delay is over,
    ///   and for longer than every limit. Apart from the end of a delay, the passing of time only closes and expires.
    ///   So no other wait gives a person anything new.
    /// - Only the items among `deletable`, and the file at the index `file`, are deleted. Deleting others changes nothing
    ///   for them.
    /// - If `showsPrompts` is false, the search is about files alone, which no prompt opens. Then companions and the
    ///   permission to use biometry change nothing for them.
    func eachMove(
        in situation: Situation, deleting deletable: [SlotID], _ file: Int? = nil, showsPrompts: Bool = true,
        _ body: (Move.Deed) -> Void
    ) {
        let device = situation.world.device
        let can = profile.can
        eachAccountMove(in: situation, deleting: deletable, body)
        if !canAsk(in: situation) {
            if profile.holds == .backup { body(.event(.restoredOntoAnotherDevice)) }
            return
        }
        eachProof(device, body)
        if can.contains(.lock) {
            body(.event(.lock))
            body(.event(.emergency))
        }
        if can.contains(.reboot) { body(.event(.reboot)) }
        if showsPrompts, can.contains(.permit), device.settings.sensor.needsPermission {
            for app in apps {
                body(.event(.biometryPermitted(app)))
                body(.event(.biometryDenied(app)))
            }
        }
        if showsPrompts { eachCompanionMove(device, situation, body) }
        if !device.isLocked { eachSetting(device, situation, showsPrompts, body) }
        if can.contains(.restore), situation.world.hasBackup { body(.event(.restoredOntoAnotherDevice)) }
        if can.contains(.erase), !device.isLocked || device.isDisabled { body(.event(.erase)) }
        // Deleting asks for no authentication, even on a locked device, so any app of the group does. No move stores an
        // item, because an item that replaces another does not hold the owner's secret.
        if assumptions.deletes { for item in deletable { body(.request(.delete, item, apps[0])) } }
        if let file {
            if assumptions.deletes { body(.file(.delete, file)) }
            body(.file(.close, file))
        }
        // A person with unlimited time keeps it, even if the attacker before them had a time limit.
        if can.contains(.wait) { eachWait(device, profile.timeLimit == nil ? nil : situation.timeLeft, body) }
    }

    private func eachProof(_ device: Device, _ body: (Move.Deed) -> Void) {
        if let code = device.passcode {
            if codes.contains(code) {
                body(.event(.passcodeEntered(code)))
            } else if profile.can.contains(.guess), let guess = device.wrongPasscodes.nextGuess {
                body(.event(.passcodeEntered(guess)))
            }
        }
        if let finger = fingers.intersection(device.enrolled).lowest { body(.event(.presented(finger))) }
        if profile.can.contains(.tryFinger), let finger = fingers.subtracting(device.enrolled).lowest {
            body(.event(.presented(finger)))
        }
    }

    private func eachCompanionMove(_ device: Device, _ situation: Situation, _ body: (Move.Deed) -> Void) {
        guard device.companion.isPaired, wearsCompanion(in: situation) else { return }
        if !device.companion.isNear { body(.event(.companionNear)) }
        if !device.companion.isUnlocked { body(.event(.companionUnlocked)) }
    }

    private func eachSetting(
        _ device: Device, _ situation: Situation, _ showsPrompts: Bool, _ body: (Move.Deed) -> Void
    ) {
        let can = profile.can
        // Interchangeable fingers are enrolled from the lowest number and removed from the highest, so that fewer sets
        // arise.
        for fingers in alike {
            if can.contains(.enroll),
                let finger = fingers.intersection(self.fingers).subtracting(device.enrolled).lowest
            {
                body(.event(.enrolled(finger)))
            }
            if can.contains(.remove), let finger = fingers.intersection(device.enrolled).highest {
                body(.event(.removed(finger)))
            }
        }
        if can.contains(.remove), !device.enrolled.isEmpty { body(.event(.biometryReset)) }
        if can.contains(.changePasscode) {
            body(.event(device.passcode == nil ? .passcodeSet(ownCode) : .passcodeChanged(ownCode)))
        }
        if can.contains(.removePasscode) { body(.event(.passcodeRemoved)) }
        if showsPrompts, can.contains(.pair) {
            if device.companion.isPaired { body(.event(.companionUnpaired)) }
            if !device.companion.isPaired && hasCompanion && profile.knows.contains(.appleAccount) {
                body(.event(.companionPaired))
            }
        }
        if device.isTheftProtected, device.securityDelayEnds == nil,
            !can.intersection([.enroll, .remove, .changePasscode, .removePasscode]).isEmpty
        {
            body(.event(.securityDelayStarted))
        }
        if can.contains(.backUp) {
            body(.event(.backupTaken(encrypted: true)))
            body(.event(.backupTaken(encrypted: false)))
        }
        if can.contains(.restore), situation.world.hasBackup {
            body(.event(.restoredOntoThisDevice))
        }
    }

    private func eachWait(_ device: Device, _ timeLeft: TimeSpan?, _ body: (Move.Deed) -> Void) {
        let delay = device.delayedUntil - device.now
        if device.passcodeState == .delayed, timeLeft.map({ delay <= $0 }) ?? true { body(.event(.timePassed(delay))) }
        if let ends = device.securityDelayEnds, ends > device.now, timeLeft.map({ ends - device.now <= $0 }) ?? true {
            body(.event(.timePassed(ends - device.now)))
        }
        let all = timeLeft ?? device.longestWait
        if all > .zero { body(.event(.timePassed(all))) }
    }
}

extension Device {
    /// A wait that is longer than everything that the device counts.
    fileprivate var longestWait: TimeSpan { max(settings.lockGrace, .hours(200)) + .seconds(1) }
}

extension Fingers {
    /// The finger with the lowest number, or nil if the set is empty.
    fileprivate var lowest: Finger? { Finger(rawValue: UInt8(bits.trailingZeroBitCount)) }
    /// The finger with the highest number, or nil if the set is empty.
    fileprivate var highest: Finger? { isEmpty ? nil : Finger(rawValue: UInt8(31 - bits.leadingZeroBitCount)) }
}

extension Passcodes {
    /// A guess that no person has made since the last right passcode, or nil if there is none left.
    fileprivate var nextGuess: Passcode? {
        (Passcode.firstGuess..<64).lazy.compactMap { Passcode(rawValue: $0) }.first { !contains($0) }
    }
}
