internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import PolicyWords
internal import ScenarioFormat
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

// People can do the same here as in the model, so the model decides what an event takes and why the device refuses it.

extension Stage {
    /// Lets the person cause the event as far as they can, and returns its effects.
    ///
    /// If the settings ask for the passcode, the person needs it and an unlocked device. An event that stands for
    /// several events of the model happens as these, one after another.
    func act(_ event: StepEvent, by name: String) throws(KeychainError) -> Effects {
        switch event {
        case .enroll(let names) where names.count > 1:
            return try each(names) { finger throws(KeychainError) in try act(.enroll([finger]), by: name) }
        case .remove(let names) where names.count > 1:
            return try each(names) { finger throws(KeychainError) in try act(.remove([finger]), by: name) }
        case .companion(.locked), .companion(.ready):
            if try keychain.device.companion.isPaired { break }
            let paired = try act(.companion(.away), by: name)
            return Self.verdict(of: paired) == .happened ? try act(event, by: name) : paired
        default: break
        }
        let device = try keychain.device
        let effects = try act(event, by: name, device)
        if case .companion(let place) = event, place != .notPaired, !device.companion.isPaired {
            state.withLock { $0.pairedBy = Self.verdict(of: effects) == .happened ? name : nil }
        }
        return effects
    }

    private func act(_ event: StepEvent, by name: String, _ device: Device) throws(KeychainError) -> Effects {
        let visitor = visitor(name)
        let person = visitor.person
        // People type only the passcode that they know. If the file names none, they type their own.
        if case .unlock(nil) = event {
            guard let own = person.passcode else { return Effects(.refused(.personCannot)) }
            return try happen(.unlock(passcode: own))
        }
        guard let inModel = inModel(event, on: device) else { return try happen(event) }
        switch inModel.means(on: device) {
        case .nothing: return try happen(event)
        case .unlockedDevice:
            if device.isLocked { return Effects(.refused(.deviceLocked)) }
            guard case .install = event else { return try happen(event) }
            return try keychain.simulate(inModel.causedBySomebody)
        case .settings: return try changeSettings(event, by: person, device)
        case .protectedSettings(let afterDelay):
            if afterDelay && !device.isLocked && !device.isSecurityDelayOver {
                return Effects(.refused(.securityDelay))
            }
            return try changeSettings(event, by: person, device, provingBiometry: true)
        case .passcode:
            guard case .unlock(let typed) = event, typed == person.passcode else {
                return Effects(.refused(.personCannot))
            }
            return try happen(event)
        case .finger:
            guard case .touch(let shown) = event, person.fingers.contains(shown) else {
                return Effects(.refused(.personCannot))
            }
            return try happen(event)
        case .companion: return person.wearsCompanion ? try happen(event) : Effects(.refused(.personCannot))
        case .backup: return opensBackup(visitor) ? try happen(event) : Effects(.refused(.personCannot))
        case .backupAndSettings:
            return opensBackup(visitor)
                ? try changeSettings(event, by: person, device) : Effects(.refused(.personCannot))
        case .sensorItself, .recoveryKey: return Effects(.refused(.personCannot))
        }
    }

    private func changeSettings(
        _ event: StepEvent, by person: SimulatedPerson, _ device: Device, provingBiometry: Bool = false
    ) throws(KeychainError) -> Effects {
        if device.isLocked { return Effects(.refused(.deviceLocked)) }
        if inModel(event, on: device)?.isRefusedOnlyToWhoKnows != true, let refusal = refusal(of: event, on: device) {
            return Effects(.refused(refusal))
        }
        if device.passcode != nil {
            guard let typed = person.passcode else { return Effects(.refused(.personCannot)) }
            let effects = try keychain.unlock(passcode: secureBytes(typed))
            guard effects.authenticated(.passcode) else { return effects }
        }
        if provingBiometry {
            let enrolled = try keychain.enrolledNames
            guard let shown = person.fingers.first(where: enrolled.contains) ?? person.fingers.first else {
                return Effects(.refused(.personCannot))
            }
            let effects = try keychain.unlockBySensor(showing: shown)
            guard effects.authenticated(.biometry) else { return effects }
        }
        return try happen(event)
    }

    private func opensBackup(_ visitor: ShapeVisitor) -> Bool {
        state.withLock { $0.backup?.isEncrypted } != true || visitor.knowsBackupPassword
    }

    // MARK: - In the model

    /// Returns the reason why the device refuses the event from every person, or nil if it does not.
    func refusal(of event: StepEvent, on device: Device) -> Refusal? {
        if case .restore = event, state.withLock({ $0.backup == nil }) { return .noBackup }
        var trial = device
        return inModel(event, on: device).flatMap { trial.apply($0).refusal }
    }

    /// Returns the first event of the model that corresponds to `event`; nil if nothing happens to the device.
    private func inModel(_ event: StepEvent, on device: Device) -> Event? {
        var numbers = StageNumbers(stage: self, device: device, enrolled: (try? keychain.enrolledNames) ?? [])
        return event.events(on: device, &numbers).first
    }
}

/// The numbers of a model that only has to tell what the device knows from what it does not.
///
/// A passcode or a finger becomes either one that the device knows or another one.
private struct StageNumbers: StepNumbers {
    typealias Failure = Never

    let stage: Stage
    let device: Device
    let enrolled: [String]

    func finger(_ name: String) -> Finger {
        let known = enrolled.contains(name) ? device.enrolled.first { _ in true } : nil
        return known ?? .unknown
    }

    func passcode(_ name: String) -> Passcode {
        if let own = device.passcode, name == stage.passcode { return own }
        return Passcode(rawValue: device.passcode?.rawValue == 0 ? 1 : 0)!
    }

    func app(_ name: String) -> (id: AppID, app: App) { stage.app(name) }
}
