package import AccessPolicy

extension Device {
    /// What of a device outlives a restart, and is the same for everybody who uses the device at a time.
    ///
    /// What is open, who proved what, and when the device was last unlocked belong to one enclave (the memory that holds
    /// the open keys) and are not in it.
    public struct Lasting: Hashable, Sendable {
        package var settings: DeviceSettings
        package var now: Instant
        package var passcode: Passcode?
        package var passcodeClassKey: UInt32
        package var wrongPasscodes: Passcodes
        package var delayedUntil: Instant
        package var domainState: DomainState
        package var enrolled: Fingers
        package var failedMatches: UInt8
        package var isCompanionPaired: Bool
        package var apps: [AppID: App]
        package var securityDelayEnds: Instant?

        /// That of a device fresh from the box.
        package init(_ settings: DeviceSettings) { self = Device(settings).lasting }

        init(
            settings: DeviceSettings, now: Instant, passcode: Passcode?, passcodeClassKey: UInt32,
            wrongPasscodes: Passcodes, delayedUntil: Instant, domainState: DomainState, enrolled: Fingers,
            failedMatches: UInt8, isCompanionPaired: Bool, apps: [AppID: App],
            securityDelayEnds: Instant?
        ) {
            self.settings = settings
            self.now = now
            self.passcode = passcode
            self.passcodeClassKey = passcodeClassKey
            self.wrongPasscodes = wrongPasscodes
            self.delayedUntil = delayedUntil
            self.domainState = domainState
            self.enrolled = enrolled
            self.failedMatches = failedMatches
            self.isCompanionPaired = isCompanionPaired
            self.apps = apps
            self.securityDelayEnds = securityDelayEnds
        }

        /// Returns true if the two differ in more than the hour, which runs on by itself.
        package func differs(from other: Self) -> Bool {
            var other = other
            other.now = now
            return self != other
        }
    }

    /// What outlives a restart.
    public var lasting: Lasting {
        Lasting(
            settings: settings, now: now, passcode: passcode, passcodeClassKey: passcodeClassKey,
            wrongPasscodes: wrongPasscodes, delayedUntil: delayedUntil, domainState: domainState, enrolled: enrolled,
            failedMatches: failedMatches, isCompanionPaired: companion.isPaired,
            apps: Dictionary(uniqueKeysWithValues: apps.installed.compactMap { id in apps[id].map { (id, $0) } }),
            securityDelayEnds: securityDelayEnds)
    }

    /// The device as it comes up again: nothing is open that a passcode guards, and nobody has proved anything.
    package init(restarting lasting: Lasting) {
        self.init(lasting.settings)
        now = lasting.now
        assign(lasting)
        lastUnlocked = now
        lastPasscode = now
        lastBiometricUnlock = now
        _ = reboot()
        delayedUntil = lasting.delayedUntil  // a program that starts anew is no device that does
        if isDisabled { passcodeReasons.insert(.disabled) }
    }

    /// Takes in what somebody else who uses the same device has changed, and says what has to be done because of it.
    ///
    /// Where the passcode became another or the device was erased, more than this is needed: begin anew with
    /// ``init(restarting:)``.
    package mutating func adopt(_ lasting: Lasting) -> Effects {
        let before = self
        now = max(now, lasting.now)
        assign(lasting)
        var effects = Effects()
        if before.domainState.sensor != domainState.sensor { effects.add(.destroySensor(before.domainState.sensor)) }
        if before.domainState != domainState { effects.add(.destroyDomainState(before.domainState)) }
        if isDisabled { passcodeReasons.insert(.disabled) }
        if passcode != nil && !isOpen && enrolled.isEmpty { passcodeReasons.insert(.noUnlockKey) }
        if enrolled.isEmpty || isLockedOut || isDisabled { effects.add(.forgetUnlockKey) }
        if before.companion.isPaired && !companion.isPaired { endSession(&effects) }
        return effects
    }

    private mutating func assign(_ lasting: Lasting) {
        passcode = lasting.passcode
        passcodeClassKey = lasting.passcodeClassKey
        wrongPasscodes = lasting.wrongPasscodes
        delayedUntil = lasting.delayedUntil
        domainState = lasting.domainState
        enrolled = lasting.enrolled
        failedMatches = lasting.failedMatches
        if companion.isPaired != lasting.isCompanionPaired {
            companion = Companion()
            companion.isPaired = lasting.isCompanionPaired
        }
        apps = Apps()
        for (id, app) in lasting.apps { apps[id] = app }
        securityDelayEnds = lasting.securityDelayEnds
    }
}
