internal import DeviceModel
internal import ScenarioFormat

extension Scenario {
    /// The devices that its events can make of the one it begins with, at least.
    ///
    /// A table goes through everything that happens to a device that is set up, or to one without a passcode. The passcode alone
    /// leads from one to the other, so a scenario whose events can set it or take it away comes to both.
    var reachableDevices: Set<MatrixDevice> {
        let isSetUp = device.passcode != nil
        var devices: Set = [MatrixDevice(device.settings, isSetUp: isSetUp)]
        // Wrong passcodes, also at prompts, may erase the device in the end.
        if device.settings.attemptEnd == .erases || steps.contains(where: \.canChangeWhetherSetUp) {
            devices.insert(MatrixDevice(device.settings, isSetUp: !isSetUp))
        }
        return devices
    }
}

extension Step {
    /// True if the step, or one in its `meanwhile` or `flips-with`, sets or removes the passcode.
    fileprivate var canChangeWhetherSetUp: Bool {
        if case .event(let event) = deed, event.canChangeWhetherSetUp { return true }
        for case .step(let turn) in expectation?.flips ?? [] where turn.canChangeWhetherSetUp { return true }
        return meanwhile.contains(where: \.canChangeWhetherSetUp)
    }
}

extension StageEvent {
    fileprivate var canChangeWhetherSetUp: Bool {
        switch self {
        case .setPasscode, .removePasscode, .erase, .restore: true
        case .lock, .unlock, .reboot, .lockRemotely, .holdButtons, .resetBiometry, .startSecurityDelay, .touch, .enroll,
            .remove,
            .companion, .wait, .install, .uninstall, .permitBiometry, .denyBiometry, .backup:
            false
        }
    }
}
