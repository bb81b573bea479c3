package import AccessPolicy

extension Device {
    /// The state of a device that survives a restart, and that all processes using the device share.
    ///
    /// It leaves out which class keys are available, the authentications, and the time of the last unlock. Those belong
    /// to one enclave, the memory that holds the available keys.
    public struct Lasting: Hashable, Sendable {
        package var settings: DeviceSettings
        /// The clock, ``Device/now``.
        package var now: Instant
        package var passcode: Passcode?
        /// The number of the class key, ``Device/passcodeClassKey``.
        package var passcodeClassKey: UInt32
        package var wrongPasscodes: Passcodes
        /// The end of the delay, ``Device/delayedUntil``.
        package var delayedUntil: Instant
        /// The enrolled set, ``Device/domainState``.
        package var domainState: DomainState
        /// The enrolled fingers or faces, ``Device/enrolled``.
        package var enrolled: Fingers
        /// The failed matches in a row, ``Device/failedMatches``.
        package var failedMatches: UInt8
        package var isCompanionPaired: Bool
        /// The installed apps.
        package var apps: [AppID: App]
        package var securityDelayEnds: Instant?

        /// Creates the state of a new device.
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

        /// Returns true if the two states differ in more than the clock, which advances by itself.
        package func differs(from other: Self) -> Bool {
            var other = other
            other.now = now
            return self != other
        }
    }

    /// The state that survives a restart.
    public var lasting: Lasting {
        Lasting(
            settings: settings, now: now, passcode: passcode, passcodeClassKey: passcodeClassKey,
            wrongPasscodes: wrongPasscodes, delayedUntil: delayedUntil, domainState: domainState, enrolled: enrolled,
            failedMatches: failedMatches, isCompanionPaired: companion.isPaired,
            apps: Dictionary(uniqueKeysWithValues: apps.installed.compactMap { id in apps[id].map { (id, $0) } }),
            securityDelayEnds: securityDelayEnds)
    }

    /// Creates the device as it is after a restart. Class keys that need the passcode are unavailable, and no
    /// authentication remains.
    package init(restarting lasting: Lasting) {
        self.init(lasting.settings)
        now = lasting.now
        assign(lasting)
        lastUnlocked = now
        lastPasscode = now
        lastBiometricUnlock = now
        _ = reboot()
        delayedUntil = lasting.delayedUntil  // the device itself did not restart
        if isDisabled { passcodeReasons.insert(.disabled) }
    }

    /// Adopts the changes that another process made to the same device, and returns the effects to carry out.
    ///
    /// If the passcode changed or the device was erased, this is not enough. Create the device with
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
        settings.sensor = lasting.settings.sensor
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
