public import AccessPolicy
public import DeviceModel

/// One step of somebody.
public struct Move: Hashable, Sendable {
    /// What is done.
    public enum Deed: Hashable, Sendable {
        /// They cause this, as far as they can.
        case event(Event)
        /// They make an app ask this of an item.
        case request(Action, SlotID)
    }

    /// Who does it: the place of the profile among those of the search.
    public var actor: Int
    /// What is done.
    public var deed: Deed
}

extension Move.Deed {
    /// True if it restores the backup onto a device.
    var isRestore: Bool { self == .event(.restoredOntoThisDevice) || self == .event(.restoredOntoAnotherDevice) }
}

extension Actor {
    /// Hands every move to `body` that they might make in `situation`, always in the same order. Which of them the device lets
    /// them make is for the model to say.
    ///
    /// Of fingers and guesses that nobody tells apart only one is offered. And of waits only three: until a passcode is taken again,
    /// until the security delay is over, and for longer than every limit. All that the passing of time does, a delay's end apart, is
    /// to close and to expire; so what can be done after waiting otherwise can be done after one of these, or without.
    ///
    /// Items that are not among `deletable` are left alone, which changes nothing for those that are.
    func eachMove(in situation: Situation, deleting deletable: [SlotID], _ body: (Move.Deed) -> Void) {
        let device = situation.world.device
        let can = profile.can
        if !canAsk(in: situation) {
            body(.event(.restoredOntoAnotherDevice))
            return
        }
        eachProof(device, body)
        if can.contains(.lock) {
            body(.event(.lock))
            body(.event(.emergency))
        }
        if can.contains(.reboot) { body(.event(.reboot)) }
        if can.contains(.permit), device.settings.sensor.needsPermission {
            body(.event(.biometryPermitted(app)))
            body(.event(.biometryDenied(app)))
        }
        eachCompanionMove(device, situation, body)
        if !device.isLocked { eachSetting(device, situation, body) }
        if can.contains(.restore), situation.world.hasBackup { body(.event(.restoredOntoAnotherDevice)) }
        if can.contains(.erase), !device.isLocked || device.isDisabled { body(.event(.erase)) }
        // Deleting asks for no authentication, on a locked device either. An item that is stored in the place of another holds
        // nobody's secret, so no move stores one.
        if assumptions.deletes { for item in deletable { body(.request(.delete, item)) } }
        // Who has all the time in the world does not lose it to somebody else who has not.
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

    private func eachSetting(_ device: Device, _ situation: Situation, _ body: (Move.Deed) -> Void) {
        let can = profile.can
        // Of fingers that nobody tells apart, those with the lowest numbers are enrolled.
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
        if can.contains(.pair) {
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
    /// Longer than anything that it counts.
    fileprivate var longestWait: TimeSpan { max(settings.lockGrace, .hours(200)) + .seconds(1) }
}

extension Fingers {
    /// Of those in it, the one with the lowest number.
    fileprivate var lowest: Finger? { Finger(rawValue: UInt8(bits.trailingZeroBitCount)) }
    /// Of those in it, the one with the highest number.
    fileprivate var highest: Finger? { isEmpty ? nil : Finger(rawValue: UInt8(31 - bits.leadingZeroBitCount)) }
}

extension Passcodes {
    /// A guess that nobody has made since the last right passcode; nil where there is none left.
    fileprivate var nextGuess: Passcode? {
        (Passcode.firstGuess..<64).lazy.compactMap { Passcode(rawValue: $0) }.first { !contains($0) }
    }
}
