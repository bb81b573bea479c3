public import AccessPolicy
public import DeviceModel

extension Vault {
    /// The device as it is now.
    public var device: Device {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.device
            }
        }
    }

    /// Returns the conditions under which a request of this caller would be decided now.
    public func conditions(for caller: Caller) throws(VaultError) -> Conditions {
        try run { enclave in
            try enclave.refresh()
            return enclave.conditions(for: caller)
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

    /// Records an authenticator's result. With a context, the result is evidence there, unless its prompt is over.
    @discardableResult
    package func record(
        _ found: AuthenticatorResult, in context: VaultContext? = nil, at sheet: PromptTicket? = nil
    ) throws(VaultError) -> Effects {
        try run(in: context) { enclave, state in
            switch found.result {
            case .presented(let finger):
                return try enclave.present(finger, at: sheet, in: context == nil ? nil : state)
            case .confirmedByCompanion:
                let context = context == nil ? ContextState(ring) : state
                let isConfirmed = try enclave.confirmByCompanion(at: sheet, in: context)
                return Effects(isConfirmed ? .authenticated(.companion) : .rejected(.companion))
            }
        }
    }
}

/// The result of an authenticator. Only code that has asked an authenticator can create one, and the vault releases
/// gates against nothing else.
package struct AuthenticatorResult: Sendable {
    enum Result: Sendable {
        case presented(Finger)
        case confirmedByCompanion
    }

    let result: Result

    /// Creates the result of a sensor that was touched with this finger. The device decides whether it is enrolled.
    package static func presented(_ finger: Finger) -> Self { Self(result: .presented(finger)) }
    package static let confirmedByCompanion = Self(result: .confirmedByCompanion)
}
