internal import AccessPolicy

// What happened to the device, in the words of a sheet: the same for a person in a model and for one at a keyboard.

extension Sheet.Result {
    /// What showing something to the sensor came to on `device`.
    public init(showing effects: Effects, _ device: Device) {
        if effects.authenticated(.biometry) {
            self = .authenticated
        } else {
            self = device.isLockedOut ? .unavailable(.sheetHitLockout) : .wrong
        }
    }

    /// What typing a passcode came to on `device`.
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
            case .notSet: .ended(.sheetSystemCanceled)  // the last wrong one erased the device
            }
    }
}

extension Sheet.Result {
    /// Creates what becomes of an answer once the sensor takes no more part: nothing that is shown to it counts.
    init(afterMatching answer: Answer) {
        self =
            switch answer {
            case .fallback: .fallback
            case .cancel: .ended(.sheetCanceled)
            case .finger, .confirm, .passcode, .applicationPassword: .ended(.sheetFailed)
            }
    }
}
