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

    /// What deciding would be told now.
    public func conditions(for caller: Caller) throws(VaultError) -> Conditions {
        try run { enclave in
            try enclave.refresh()
            return enclave.conditions(for: caller)
        }
    }

    /// Lets time pass on a simulated device, which has no clock of its own. For a real vault it goes by itself.
    @discardableResult
    public func pass(_ span: TimeSpan) throws(VaultError) -> Effects {
        if kind == .real { throw .realVault(.clock) }
        return try apply(.timePassed(span))
    }

    /// Lets something happen to the device that needs nothing but to be told. What needs a passcode or an authenticator's
    /// result has a call of its own.
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
            return try run { enclave in
                // Erasing takes the passcode away, and a real vault always has one: it ends by deleting its folder.
                if event == .erase && enclave.bag.isReal { throw VaultError.realVault(.passcode) }
                return try enclave.happen(event, EventKeys())
            }
        }
    }

    /// Takes in an authenticator's result. With a context, what was proved counts there, unless the prompt is over that it came
    /// of.
    @discardableResult
    package func record(
        _ found: AuthenticatorResult, in context: VaultContext? = nil, at sheet: SheetTicket? = nil
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

/// An authenticator's result. Only what has asked an authenticator can make one; gates are released against nothing else.
package struct AuthenticatorResult: Sendable {
    enum Result: Sendable {
        case presented(Finger)
        case confirmedByCompanion
    }

    let result: Result

    /// The sensor was shown this finger; whether it is an enrolled one, the device says.
    package static func presented(_ finger: Finger) -> Self { Self(result: .presented(finger)) }
    /// The companion has confirmed.
    package static let confirmedByCompanion = Self(result: .confirmedByCompanion)
}
