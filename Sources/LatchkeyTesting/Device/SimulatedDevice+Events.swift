internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LatchkeyFiles
internal import SodiumKit

// Events of the device, no matter who holds it. Each method returns whether the event happened; `description` says why
// one did not.

extension SimulatedDevice {
    /// Locks the device.
    ///
    /// Items *when unlocked* stay readable for ten seconds, as on Apple's devices. Advance the clock by eleven to close
    /// them, or create the device with a `lockGrace` of zero.
    ///
    ///     device.lock()
    ///     device.advance(by: .seconds(11))
    @discardableResult
    public func lock() -> Bool {
        filePlace.prepare(keychain)
        return happened("lock") { () throws(KeychainError) in try keychain.lock() }
    }

    /// Types a passcode, at the lock screen or on the unlocked device, and returns true if it is right. The right one
    /// also ends a lockout of biometry.
    ///
    ///     device.unlock(passcode: "1234")
    @discardableResult
    public func unlock(passcode: String) -> Bool {
        let effects = attempt("unlock by passcode", proving: .passcode) { () throws(KeychainError) in
            try keychain.unlock(passcode: SecureBytes(forTest: passcode))
        }
        return effects?.authenticated(.passcode) ?? false
    }

    /// Shows a finger to the sensor, at the lock screen or on the unlocked device, and returns true if it matches.
    ///
    ///     device.unlock(finger: "right index")
    @discardableResult
    public func unlock(finger: String) -> Bool {
        let effects = attempt("unlock by \(finger)", proving: .biometry) { () throws(KeychainError) in
            try keychain.unlockBySensor(showing: finger)
        }
        return effects?.authenticated(.biometry) ?? false
    }

    /// Shows a face to the sensor, and returns true if it matches.
    ///
    ///     device.unlock(face: "me")
    @discardableResult
    public func unlock(face: String) -> Bool { unlock(finger: face) }

    /// Restarts the device. Until the passcode is typed, only items *always* are readable.
    ///
    ///     device.reboot()
    @discardableResult
    public func reboot() -> Bool {
        filePlace.prepare(keychain)
        let isDone = simulate(.reboot, "reboot")
        filePlace.restart()
        return isDone
    }

    /// Advances the clock by whole milliseconds; a fraction of one counts as one. The clock never goes back.
    ///
    ///     device.advance(by: .seconds(30))
    @discardableResult
    public func advance(by duration: Duration) -> Bool {
        simulate(.timePassed(TimeSpan(duration)), "advance by \(duration)")
    }

    /// Sets a passcode, or changes the present one.
    ///
    ///     device.setPasscode("9")
    @discardableResult
    public func setPasscode(_ next: String) -> Bool {
        let present = passcode
        let isSet = happened("set the passcode") { () throws(KeychainError) in
            let next = SecureBytes(forTest: next)
            guard let present else { return try keychain.setPasscode(next) }
            return try keychain.changePasscode(from: SecureBytes(forTest: present), to: next)
        }
        if isSet { passcode = next }
        return isSet
    }

    /// Removes the passcode. Items *when passcode set* are destroyed for good.
    ///
    ///     device.removePasscode()
    @discardableResult
    public func removePasscode() -> Bool {
        guard let present = passcode else {
            logbook.note("remove the passcode", trouble: "refused, no passcode is set")
            return false
        }
        let isGone = happened("remove the passcode") { () throws(KeychainError) in
            try keychain.removePasscode(SecureBytes(forTest: present))
        }
        if isGone { passcode = nil }
        return isGone
    }

    /// Enrolls a finger or a face under a name that you choose. Items bound to the present set are invalidated for
    /// good.
    ///
    ///     device.enroll("left thumb")
    @discardableResult
    public func enroll(_ name: String) -> Bool {
        happened("enroll \(name)") { () throws(KeychainError) in try keychain.enroll(name) }
    }

    /// Removes a finger. A device with Face ID or Optic ID refuses, as Apple's do: use ``resetBiometry()``.
    ///
    ///     device.remove("left thumb")
    @discardableResult
    public func remove(_ name: String) -> Bool {
        happened("remove \(name)") { () throws(KeychainError) in try keychain.removeEnrolled(name) }
    }

    /// Removes all enrolled fingers or faces, as "Reset Face ID" does.
    ///
    ///     device.resetBiometry()
    @discardableResult
    public func resetBiometry() -> Bool {
        happened("reset biometry") { () throws(KeychainError) in try keychain.resetSensor() }
    }

    /// Locks the device remotely. The passcode is required, and no item stays readable for a while.
    ///
    ///     device.lockRemotely()
    @discardableResult
    public func lockRemotely() -> Bool {
        filePlace.prepare(keychain)
        return simulate(.remoteLock, "lock remotely")
    }

    /// Holds the buttons for power-off or an emergency call. The passcode is required.
    ///
    ///     device.holdButtons()
    @discardableResult
    public func holdButtons() -> Bool {
        filePlace.prepare(keychain)
        return simulate(.emergency, "hold the buttons")
    }

    /// Erases the device with all its items.
    ///
    ///     device.erase()
    @discardableResult
    public func erase() -> Bool {
        simulate(.erase, "erase")
    }

    /// Removes what the device has beside its vault, which was erased: by its owner, by a restore, or by wrong passcodes.
    private func eraseTheRest() {
        passcode = nil
        filePlace.erase()
        defaultsStore.removeAll()
        leaveAccountErased()
    }

    /// Removes the app and installs it again. Its items stay, and its user defaults are gone, as on Apple's devices.
    ///
    ///     device.reinstallApp()
    @discardableResult
    public func reinstallApp() -> Bool {
        let id = keychain.requester.app
        let isRemoved = simulate(.appRemoved(id), "remove the app")
        if isRemoved { defaultsStore.remove(app: declaredApp.identifier, groups: declaredApp.groups) }
        return simulate(.appInstalled(id, declaredApp.onDevice), "install the app") && isRemoved
    }

    /// The state of a companion, such as a watch.
    public enum Companion: Hashable, Sendable {
        /// No companion is paired.
        case notPaired
        /// The companion is paired, and out of reach.
        case away
        /// The companion is near and locked.
        case locked
        /// The companion is near and unlocked, so it can confirm.
        case ready
    }

    /// The state of the companion.
    ///
    ///     device.companion = .ready
    public var companion: Companion {
        get {
            switch (try? keychain.device)?.companion.state {
            case .ready: .ready
            case .locked: .locked
            case .away: .away
            case .notPaired, nil: .notPaired
            }
        }
        set {
            let place: CompanionState =
                switch newValue {
                case .notPaired: .notPaired
                case .away: .away
                case .locked: .locked
                case .ready: .ready
                }
            happened("companion \(newValue)") { () throws(KeychainError) in
                try keychain.place(companion: place)
            }
        }
    }

    // MARK: -

    @discardableResult
    private func simulate(_ event: Event, _ what: String) -> Bool {
        happened(what) { () throws(KeychainError) in try keychain.simulate(event) }
    }

    @discardableResult
    private func happened(_ what: String, _ body: () throws(KeychainError) -> Effects) -> Bool {
        attempt(what, body).map { $0.refusal == nil } ?? false
    }

    /// Records something that happened beside the vault, and returns true if nothing kept it from happening.
    func noted(_ what: String, trouble: String?) -> Bool {
        logbook.note(what, trouble: trouble)
        return trouble == nil
    }

    /// Performs an event on the device, and records its result in one line.
    @discardableResult
    func attempt(
        _ what: String, proving factor: Factor? = nil, _ body: () throws(KeychainError) -> Effects
    ) -> Effects? {
        let former = try? keychain.device
        do {
            let effects = try body()
            if effects.contains(.eraseAll) { eraseTheRest() }
            defer {
                tellApps(since: former)
                storeWhatWaits()
            }
            if let refusal = effects.refusal {
                logbook.note(what, trouble: "refused, \(refusal.text)")
            } else if let factor, !effects.authenticated(factor) {
                logbook.note(what, trouble: factor == .biometry ? "no match" : "wrong passcode")
            } else {
                logbook.note(what)
            }
            return effects
        } catch {
            logbook.note(what, trouble: "\(error)")
            return nil
        }
    }
}

extension SecureBytes {
    /// Creates a passcode for a test, which is no secret. There is always memory for one.
    init(forTest text: String) {
        do {
            try self.init(text)
        } catch {
            fatalError("out of memory for a passcode: \(error)")
        }
    }
}

extension SimulatedDevice.Companion: CustomStringConvertible {
    /// The name of the state.
    public var name: String {
        switch self {
        case .notPaired: "notPaired"
        case .away: "away"
        case .locked: "locked"
        case .ready: "ready"
        }
    }

    /// The name of the state.
    public var description: String { name }
}
