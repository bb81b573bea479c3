internal import AccessPolicy
public import DeviceModel
internal import LinuxSystem
internal import SecretVault
public import UserPresence

// The sensor knows its enrollments, and the vault keeps a record of them. Before any decision that depends on biometry
// the two are compared: a finger that was enrolled or removed elsewhere becomes an event that takes effect first.

extension Keychain {
    /// Asks the sensor for its enrollments, records any change and says whether the sensor counts for now.
    func askSensor() throws(KeychainError) -> SensorWord {
        guard let sensor else { return .away }
        return try refresh(from: sensor) == nil ? .believed : .away
    }

    /// True if the user of `requester` is logged in over a network, and the sensor is at this machine.
    package func isOutOfReach(of requester: Requester) -> Bool { requester.isRemote && sensor?.isAtMachine == true }

    /// Asks `sensor` for its enrollments and records any change. A sensor that fails destroys nothing; the device has no
    /// biometry until it answers again.
    ///
    /// - Returns: The sensor's failure, or nil. ``sensorError`` is set too, but other threads set it as well.
    func refresh(from sensor: any BiometricSensor) throws(KeychainError) -> SensorError? {
        do {
            try compare(sensor)
            sensorError = nil
            return nil
        } catch let failure as SensorError {
            sensorError = failure
            return failure
        } catch {
            throw .vault(error as? VaultError ?? .sensorUnasked)
        }
    }

    /// Compares the sensor's enrollments with the record. A change counts only if the sensor reports it twice alike,
    /// and once more under the vault's lock.
    private func compare(_ sensor: any BiometricSensor) throws {
        // A fake sensor in this vault is read and compared in one step.
        if let fake = sensor as? FakeSensor, fake.memory is VaultMemory,
            try vault.isOnRecord(reading: { try? SensorList(fake.remembering($0)) })
        {
            return
        }
        let list = try SensorList(sensor)
        if try vault.isOnRecord(list) { return }
        guard try SensorList(sensor) == list else { throw SensorError.unsteady }
        let taken = try vault.recordEnrollments(list) { memory in
            // A fake sensor in this vault would read its memory from the vault, which is locked here, so it gets the
            // memory directly.
            if let sensor = sensor as? FakeSensor, sensor.memory is VaultMemory {
                return try? SensorList(sensor.remembering(memory))
            }
            return try? SensorList(sensor)
        }
        switch taken {
        case .known(let events): events.forEach(endPrompts)
        case .unsteady: throw SensorError.unsteady
        case .exchanged: throw SensorError.exchanged("its identifier has changed")
        case .refused(let refusal): throw SensorError.refused(refusal.text)
        }
    }

    /// Makes the sensor of a simulated device silent, or lets it answer again. Without a sensor, nothing happens.
    package func simulateSensor(answering answers: Bool) {
        precondition(!isReal, "only the sensor of a simulated device is made to fail")
        guard let sensor else { return }
        let answering = (sensor as? SilentSensor)?.sensor ?? sensor
        adopt(answers ? answering : SilentSensor(answering))
    }

    /// Waits for a match at the sensor as long as `prompt` is shown. The user can end the prompt.
    func match(showing shown: String?, _ prompt: Prompt, of context: AnyObject?) throws(SensorError) -> SensorMatch {
        guard let sensor else { throw .absent("the keychain was opened without a sensor") }
        let user = user
        if !user.answersAtOnce { standingBy.begin { user.standBy(prompt) } }
        defer { prompt.end(.answered) }
        return try prompts.showing(prompt, of: context) { () throws(SensorError) in
            try sensor.match(showing: shown, until: prompt)
        }
    }

    /// Waits for a match while `prompt` is shown, records it, and returns what it means for the prompt.
    func touch(
        showing shown: String?, _ prompt: Prompt, _ context: KeychainContext?, _ ticket: PromptTicket,
        isToUnlock: Bool = false
    ) throws(KeychainError) -> Sheet.Result {
        let match: SensorMatch
        do {
            match = try self.match(showing: shown, prompt, of: context)
        } catch .interrupted {
            return prompt.ending.flatMap { Sheet.Result($0) } ?? .ended(.sheetSystemCanceled)
        } catch {
            sensorError = error
            return .unavailable(.biometryNoHardware)
        }
        // A match after the end of the prompt counts for nothing. A miss counts even then.
        let over = prompt.ending.flatMap { Sheet.Result($0) }
        if case .matched = match, let over { return over }
        guard let effects = try record(match, in: context, at: ticket, isToUnlock: isToUnlock) else {
            return .unavailable(.biometryNoHardware)
        }
        if effects.refusal == .promptOver { return .ended(.sheetSystemCanceled) }
        if let over { return over }
        return Sheet.Result(showing: effects, try device)
    }

    /// Records a match or a miss on the device. Returns nil if the sensor matched an enrollment that is not on record,
    /// which counts as no match.
    func record(
        _ match: SensorMatch, in context: KeychainContext?, at ticket: PromptTicket?, isToUnlock: Bool = false
    ) throws(KeychainError) -> Effects? {
        let id: String? = if case .matched(let id) = match { id } else { nil }
        let effects = try onVault(
            vault.record(matched: id, in: context?.vaultContext, at: ticket, isToUnlock: isToUnlock))
        if let effects { endPrompts(effects) } else { sensorError = .notEnrolled }
        return effects
    }

    /// The names of the enrolled fingers or faces.
    public var enrolledNames: [String] {
        get throws(KeychainError) {
            try onVault(vault.knownSensor?.templates.map(\.name) ?? [])
        }
    }

    /// Bytes that change whenever the enrolled set changes and reveal nothing else; nil if the set is empty.
    public var enrollmentHash: [UInt8]? {
        get throws(KeychainError) {
            if sensor != nil { _ = try askSensor() }
            return try onVault(vault.enrollmentHash)
        }
    }

    // MARK: - Enrolling

    /// Enrolls a finger or a face under a name. On a real device the user is asked for the passcode first.
    ///
    /// Items bound to the present set of enrollments are invalidated for good. The effects say what happened to the
    /// device.
    ///
    /// The sensor learns first, and the device compares enrollments before every decision. So biometry decides nothing
    /// until the device has recorded the change.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the user does not authenticate, and ``KeychainError/sensor(_:)`` if
    ///   the sensor fails.
    @discardableResult
    public func enroll(
        _ name: String, until prompt: Prompt? = nil, by requester: Requester? = nil
    ) throws(KeychainError) -> Effects {
        try change(by: requester, because: "enroll \(name)") { (sensor, device) in
            if let refusal = device.refusalToEnroll { return refusal }
            try sensor.enroll(name, until: prompt ?? Prompt(PromptContent(.biometry)))
            return nil
        }
    }

    /// Removes an enrolled finger or face. A simulated device with Face ID or Optic ID refuses, as Apple's devices do:
    /// reset the sensor instead.
    @discardableResult
    public func removeEnrolled(_ name: String, by requester: Requester? = nil) throws(KeychainError) -> Effects {
        let known = try onVault(vault.knownSensor?.templates ?? [])
        return try change(by: requester, because: "remove \(name)") { (sensor, device) in
            let template = known.first { $0.name == name }
            if !isReal {
                var trial = device
                if let refusal = trial.apply(.removed(template?.finger ?? .unknown)).refusal { return refusal }
            }
            guard let template else { return .notEnrolled }
            try sensor.remove(template.id)
            return nil
        }
    }

    /// Asks the user for the passcode on a real device. A simulated device is changed without asking.
    private func requireOwner(by requester: Requester?, because reason: String) throws(KeychainError) {
        if isReal { try requirePasscode(in: try makeContext(), by: requester, because: reason) }
    }

    /// Asks the sensor until its answers agree, several times at most. While several processes change the sensor, it is
    /// unsteady for a moment.
    private func requireSteady(_ sensor: any BiometricSensor) throws(KeychainError) {
        for _ in 0..<7 {
            guard let failure = try refresh(from: sensor) else { return }
            guard failure == .unsteady else { throw .sensor(failure) }
        }
        if let failure = try refresh(from: sensor) { throw .sensor(failure) }
    }

    /// Changes the enrollments of the sensor and records the change.
    private func change(
        by requester: Requester?, because reason: String,
        _ body: (any BiometricSensor, Device) throws -> Refusal?
    ) throws(KeychainError) -> Effects {
        if namedSensor == nil { return Effects(.refused(.noSensor)) }
        // The passcode checks the settings that name the sensor.
        try requireOwner(by: requester, because: reason)
        guard let sensor else { return Effects(.refused(.noSensor)) }
        try requireSteady(sensor)
        let before = try device
        do {
            if let refusal = try body(sensor, before) { return Effects(.refused(refusal)) }
        } catch {
            throw .sensor(error as? SensorError ?? .garbage("\(error)"))
        }
        try requireSteady(sensor)  // This records the change.
        let after = try device
        return after.domainState == before.domainState
            ? Effects(.refused(.nothingToChange)) : Effects(.beginDomainState(after.domainState))
    }

    /// Removes all enrollments from the sensor. On a real device the user is asked for the passcode first.
    ///
    /// The sensor counts as a new one afterwards, and items bound to any biometry are invalidated for good. Call it
    /// also to start using a replacement sensor.
    @discardableResult
    public func resetSensor(by requester: Requester? = nil) throws(KeychainError) -> Effects {
        if namedSensor == nil { return Effects(.refused(.noSensor)) }
        try requireOwner(by: requester, because: "remove all enrolled fingers and faces")
        guard let sensor else { return Effects(.refused(.noSensor)) }
        let effects = try carry(vault.resetSensor())
        if effects.refusal == nil { try forgetEnrollments(on: sensor) }
        return effects
    }

    func forgetEnrollments(on sensor: any BiometricSensor) throws(KeychainError) {
        do {
            if let fake = sensor as? FakeSensor { return try fake.reset() }
            for template in try sensor.enrollments().templates { try sensor.remove(template.id) }
        } catch {
            throw .sensor(error)
        }
    }
}

extension Device {
    /// The reason why the device refuses to enroll another finger or face now; nil if it does not refuse.
    fileprivate var refusalToEnroll: Refusal? {
        guard let another = freeFinger else { return .sensorFull }
        var trial = self
        return trial.apply(.enrolled(another)).refusal
    }
}

extension SensorList {
    fileprivate init(_ sensor: any BiometricSensor) throws(SensorError) {
        let enrollments = try sensor.enrollments()
        self.init(
            sensor: enrollments.sensor,
            names: Dictionary(enrollments.templates.map { ($0.id, $0.name) }) { first, _ in first })
    }
}
