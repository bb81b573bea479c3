internal import AccessPolicy

// Translates the effects of an event into the result of a prompt, for a modeled person and for one at a keyboard alike.

extension Sheet.Result {
    /// Creates the result of showing a finger or a face to the sensor of `device`.
    public init(showing effects: Effects, _ device: Device) {
        if effects.authenticated(.biometry) {
            self = .authenticated
        } else {
            self = device.isLockedOut ? .unavailable(.sheetHitLockout) : .wrong
        }
    }

    /// Creates the result of entering a passcode on `device`.
    public init(typing effects: Effects, _ device: Device) {
        if effects.authenticated(.passcode) {
            self = .authenticated
            return
        }
        self =
            switch device.passcodeState {
            case .ready: .wrong
            case .delayed: .unavailable(.passcodeDelayed)
            case .disabled: .unavailable(.passcodeDisabled)
            case .notSet: .ended(.sheetSystemCanceled)  // the last wrong passcode erased the device
            }
    }
}

extension Sheet.Result {
    /// Creates the result of an answer after the last match, when the sensor no longer accepts one.
    init(afterMatching answer: Answer) {
        self =
            switch answer {
            case .fallback: .fallback
            case .cancel: .ended(.sheetCanceled)
            case .finger, .confirm, .passcode, .applicationPassword: .ended(.sheetFailed)
            }
    }
}
