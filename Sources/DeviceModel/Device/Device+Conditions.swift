public import AccessPolicy

extension Device {
    /// The class keys that are available now.
    ///
    /// A device without a passcode counts as unlocked since it started, and has no *when passcode set* class key.
    public var openClasses: KeyClasses {
        var open: KeyClasses = [.always]
        if hasFirstUnlock { open.insert(.afterFirstUnlock) }
        if isOpen {
            open.insert(.whenUnlocked)
            if passcode != nil { open.insert(.whenPasscodeSet) }
        }
        return open
    }

    /// The state of the passcode.
    public var passcodeState: PasscodeState {
        if passcode == nil { return .notSet }
        if isDisabled { return .disabled }
        return now < delayedUntil ? .delayed : .ready
    }

    /// Returns the state of biometry for an app.
    public func biometryState(for app: App) -> BiometryState {
        if settings.sensor == .none { return .noHardware }
        if settings.sensor.needsPermission {
            if !app.declaresUsage { return .noUsageText }
            if app.permission == .denied { return .notPermitted }
        }
        if enrolled.isEmpty { return .notEnrolled }
        if isLockedOut { return .lockedOut }
        return settings.sensor.needsPermission && app.permission == .notAsked ? .notYetPermitted : .ready
    }

    /// Returns the conditions under which a request of this app is decided. An app that is not installed has no access
    /// groups.
    public func conditions(for id: AppID = .first) -> Conditions {
        let app = apps[id] ?? App(groups: [], permission: .denied, declaresUsage: false)
        return Conditions(
            openClasses: openClasses, passcodeClassKey: passcode == nil ? 0 : passcodeClassKey, isLocked: isLocked,
            hasFirstUnlock: hasFirstUnlock, passcode: passcodeState, passcodeDelayedUntil: delayedUntil,
            isPasscodeRequired: !passcodeReasons.isEmpty, biometry: biometryState(for: app), domainState: domainState,
            biometricUnlock: biometricUnlock, companion: companion.state, groups: app.groups,
            session: session,
            now: now,
            fidelity: settings.fidelity)
    }
}
