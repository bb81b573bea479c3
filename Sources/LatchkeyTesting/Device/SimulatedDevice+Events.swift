internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import SodiumKit

// What happens to the device, whoever holds it. Each says whether it happened; what did not is on record in `description`.

extension SimulatedDevice {
    /// Locks it. Items *when unlocked* stay readable for ten seconds more, as on Apple's devices: advance by eleven to have them
    /// closed, or make the device with a `lockGrace` of zero.
    ///
    ///     device.lock()
    ///     device.advance(by: .seconds(11))
    @discardableResult
    public func lock() -> Bool { happened("lock") { () throws(KeychainError) in try keychain.lock() } }

    /// Types a passcode at the lock screen, or elsewhere on an unlocked device: a right one also ends the lockout of biometry.
    /// Whether it was right.
    ///
    ///     device.unlock(passcode: "1234")
    @discardableResult
    public func unlock(passcode: String) -> Bool {
        let effects = attempt("unlock by passcode", proving: .passcode) { () throws(KeychainError) in
            try keychain.unlock(passcode: SecureBytes(forTest: passcode))
        }
        return effects?.authenticated(.passcode) ?? false
    }

    /// Shows a finger to the sensor, at the lock screen or elsewhere. Whether it was known.
    ///
    ///     device.unlock(finger: "right index")
    @discardableResult
    public func unlock(finger: String) -> Bool {
        let effects = attempt("unlock by \(finger)", proving: .biometry) { () throws(KeychainError) in
            try keychain.unlockBySensor(showing: finger)
        }
        return effects?.authenticated(.biometry) ?? false
    }

    /// Shows a face to the sensor. Whether it was known.
    ///
    ///     device.unlock(face: "me")
    @discardableResult
    public func unlock(face: String) -> Bool { unlock(finger: face) }

    /// Switches it off and on. Nothing but *always* is readable until the passcode is typed.
    ///
    ///     device.reboot()
    @discardableResult
    public func reboot() -> Bool { simulate(.reboot, "reboot") }

    /// Lets time pass, in whole milliseconds; a part of one counts as one. It does not go back.
    ///
    ///     device.advance(by: .seconds(30))
    @discardableResult
    public func advance(by duration: Duration) -> Bool {
        simulate(.timePassed(TimeSpan(duration)), "let \(duration) pass")
    }

    /// Sets a passcode, or changes it.
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

    /// Removes the passcode. Items *when passcode set* are destroyed by it, for good.
    ///
    ///     device.removePasscode()
    @discardableResult
    public func removePasscode() -> Bool {
        guard let present = passcode else {
            logbook.note("remove the passcode: refused, there is none")
            return false
        }
        let isGone = happened("remove the passcode") { () throws(KeychainError) in
            try keychain.removePasscode(SecureBytes(forTest: present))
        }
        if isGone { passcode = nil }
        return isGone
    }

    /// Enrolls a finger or a face under a name that you choose. What is bound to the current set is lost by it, for good.
    ///
    ///     device.enroll("left thumb")
    @discardableResult
    public func enroll(_ name: String) -> Bool {
        happened("enroll \(name)") { () throws(KeychainError) in try keychain.enroll(name) }
    }

    /// Removes a finger. A device for faces or eyes refuses, as Apple's do: use ``resetBiometry()``.
    ///
    ///     device.remove("left thumb")
    @discardableResult
    public func remove(_ name: String) -> Bool {
        happened("remove \(name)") { () throws(KeychainError) in try keychain.removeEnrolled(name) }
    }

    /// Removes everybody who is enrolled, as "Reset Face ID" does.
    ///
    ///     device.resetBiometry()
    @discardableResult
    public func resetBiometry() -> Bool {
        happened("reset biometry") { () throws(KeychainError) in try keychain.resetSensor() }
    }

    /// Locks it from afar: the passcode is required, and nothing stays readable for a while.
    ///
    ///     device.lockRemotely()
    @discardableResult
    public func lockRemotely() -> Bool { simulate(.remoteLock, "lock from afar") }

    /// Holds the buttons for power-off or an emergency call: the passcode is required.
    ///
    ///     device.holdButtons()
    @discardableResult
    public func holdButtons() -> Bool { simulate(.emergency, "hold the buttons") }

    /// Erases it, items and all.
    ///
    ///     device.erase()
    @discardableResult
    public func erase() -> Bool {
        let isErased = simulate(.erase, "erase")
        if isErased { passcode = nil }
        return isErased
    }

    /// Removes the app, or has it installed again. What it has stored stays, as on Apple's devices.
    ///
    ///     device.reinstallApp()
    @discardableResult
    public func reinstallApp() -> Bool {
        let id = keychain.requester.app
        let isRemoved = simulate(.appRemoved(id), "remove the app")
        return simulate(.appInstalled(id, declaredApp.onDevice), "install the app") && isRemoved
    }

    /// Where a companion may be, such as a watch.
    public enum Companion: Hashable, Sendable {
        /// There is none.
        case notPaired
        /// It is paired, and away.
        case away
        /// It is near, and locked.
        case locked
        /// It is near and unlocked: it can confirm.
        case ready
    }

    /// Where the companion is.
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
            happened("put the companion: \(newValue)") { () throws(KeychainError) in
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

    /// Has something done to the device, and puts on record what came of it, in one line.
    @discardableResult
    func attempt(
        _ what: String, proving factor: Factor? = nil, _ body: () throws(KeychainError) -> Effects
    ) -> Effects? {
        do throws(KeychainError) {
            let effects = try body()
            if let refusal = effects.refusal {
                logbook.note("\(what): refused, \(refusal.text)")
            } else if let factor, !effects.authenticated(factor) {
                logbook.note("\(what): not the right one")
            } else {
                logbook.note(what)
            }
            return effects
        } catch {
            logbook.note("\(what): \(error)")
            return nil
        }
    }
}

extension SecureBytes {
    /// A passcode in a test, which is no secret. There is always room for one.
    init(forTest text: String) {
        do throws(SodiumError) {
            try self.init(text)
        } catch {
            fatalError("no memory for a passcode: \(error)")
        }
    }
}

extension SimulatedDevice.Companion: CustomStringConvertible {
    /// The word for it.
    public var name: String {
        switch self {
        case .notPaired: "notPaired"
        case .away: "away"
        case .locked: "locked"
        case .ready: "ready"
        }
    }

    /// The name.
    public var description: String { name }
}
