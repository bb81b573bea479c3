internal import DeviceModel
internal import PolicyProver
internal import PolicyWords
internal import ScenarioFormat

extension Scenario {
    /// The devices that the scenario's events can make of the one that it begins with.
    ///
    /// A table goes through every condition of a device that is set up, or of one without a passcode. Only setting or
    /// removing the passcode leads from one table to the other. So a scenario whose events can do that reaches both
    /// devices. An app with a usage text for its sensor never becomes one without, so there is a table for each kind.
    var reachableDevices: Set<MatrixDevice> {
        let isSetUp = device.passcode != nil
        let kinds = Set(apps.map { App(declaresUsage: $0.declaresUsage).asSeen(by: device.settings.sensor) })
        var devices: Set<MatrixDevice> = []
        func insert(isSetUp: Bool) {
            for app in kinds {
                devices.insert(MatrixDevice(device.settings, isSetUp: isSetUp, apps: [NamedApp("app", app)]))
            }
        }
        insert(isSetUp: isSetUp)
        // With this setting, wrong passcodes at a prompt or elsewhere can erase the device.
        if device.settings.attemptEnd == .erases || steps.contains(where: \.canChangeWhetherSetUp) {
            insert(isSetUp: !isSetUp)
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

extension StepEvent {
    fileprivate var canChangeWhetherSetUp: Bool {
        switch self {
        case .setPasscode, .removePasscode, .erase, .restore: true
        case .lock, .unlock, .reboot, .lockRemotely, .holdButtons, .resetBiometry, .startSecurityDelay, .touch, .enroll,
            .remove, .companion, .wait, .install, .uninstall, .permitBiometry, .denyBiometry, .backup, .hold:
            false
        }
    }
}
