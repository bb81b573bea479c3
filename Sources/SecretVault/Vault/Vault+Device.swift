public import AccessPolicy
public import DeviceModel

extension Vault {
    /// The device as it is now.
    public var device: Device {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.device
            }
        }
    }

    /// Returns the conditions under which a request of this caller would be decided now.
    public func conditions(for caller: Caller) throws(VaultError) -> Conditions {
        try run { vault in
            try vault.refresh()
            return vault.conditions(for: caller)
        }
    }

    /// Lets time pass on a simulated device, which has no clock of its own.
    ///
    /// - Throws: ``VaultError/realVault(_:)`` for a real vault, whose time passes by itself.
    @discardableResult
    public func pass(_ span: TimeSpan) throws(VaultError) -> Effects {
        if kind == .real { throw .realVault(.clock) }
        return try apply(.timePassed(span))
    }

    /// Applies an event to the device. This is for events that need no authentication; a passcode or an authenticator's
    /// result has a function of its own.
    ///
    /// - Throws: ``VaultError/eventNeedsAuthentication`` for any other event.
    @discardableResult
    package func apply(_ event: Event) throws(VaultError) -> Effects {
        switch event {
        case .lock: return try lock()
        case .passcodeEntered, .passcodeSet, .passcodeChanged, .passcodeRemoved, .passcodeRecovered, .presented,
            .backupTaken, .restoredOntoThisDevice, .restoredOntoAnotherDevice:
            throw .eventNeedsAuthentication
        case .reboot, .timePassed, .enrolled, .removed, .biometryReset, .sensorForgot, .securityDelayStarted,
            .companionPaired, .companionUnpaired,
            .companionNear, .companionAway, .companionUnlocked, .companionLocked, .appInstalled, .appRemoved,
            .biometryPermitted, .biometryDenied, .remoteLock, .emergency, .erase:
            // Erasing would remove the passcode, and a real vault always has one. To end a real vault, delete its folder.
            if event == .erase && kind == .real { throw .realVault(.passcode) }
            return try run { try $0.happen(event, EventKeys()) }
        }
    }

    // MARK: - Prompts

    /// Returns a ticket for a prompt that is shown now; nil if the device is locked, because a locked device shows
    /// none.
    package func openPrompt() throws(VaultError) -> PromptTicket? {
        try run { vault in
            try vault.refresh()
            return vault.device.isLocked ? nil : PromptTicket(session: vault.device.session)
        }
    }

    /// Returns a ticket for a prompt that is to unlock the device. A lock ends that prompt, even if the device was not
    /// locked before.
    package func openPromptToUnlock() throws(VaultError) -> PromptTicket {
        try run { vault in
            try vault.refresh()
            return PromptTicket(session: vault.device.session, epoch: vault.ring.epoch)
        }
    }

    /// Returns true if the prompt is over, so that its answer does not count.
    package func isOver(_ sheet: PromptTicket) throws(VaultError) -> Bool {
        try run { try $0.isOverNow(sheet) }
    }
}
