public import DeviceModel
internal import LinuxSystem
internal import SecretVault
public import UserPresence

// The sensor knows who is enrolled, and the vault has it on record. Whatever depends on it is decided only after the two were
// compared: who was enrolled or removed behind our back is an event that happens first.

extension Keychain {
    /// Asks the sensor whom it knows, and takes in what is different from the record. A sensor that cannot be asked destroys
    /// nothing: there is no biometry for the time being.
    func askSensor() throws(KeychainError) -> SensorWord {
        guard let sensor else { return .away }
        do {
            try compare(sensor)
            sensorError = nil
            return .believed
        } catch let failure as SensorError {
            sensorError = failure
            return .away
        } catch {
            throw .vault(error as? VaultError ?? .sensorUnasked)
        }
    }

    /// Nothing is believed that is not said twice alike, and once more under the vault's lock.
    private func compare(_ sensor: any BiometricSensor) throws {
        let list = try SensorList(sensor)
        if try vault.isOnRecord(list) { return }
        guard try SensorList(sensor) == list else { throw SensorError.unsteady }
        let taken = try vault.recordEnrollments(list) { memory in
            // The one that is kept in the vault would read its memory there, while the vault is held.
            if let sensor = sensor as? FakeSensor, sensor.memory is VaultMemory {
                return try? SensorList(sensor.remembering(memory))
            }
            return try? SensorList(sensor)
        }
        switch taken {
        case .known(let events): events.forEach(endPrompts)
        case .unsteady: throw SensorError.unsteady
        case .exchanged: throw SensorError.exchanged("it calls itself by another name")
        case .refused(let refusal): throw SensorError.refused(refusal.text)
        }
    }

    /// Waits for a match at the sensor as long as `prompt` is shown, which the user can end.
    func match(showing shown: String?, _ prompt: Prompt, of context: AnyObject?) throws(SensorError) -> SensorMatch {
        guard let sensor else { throw .absent("the keychain was opened without one") }
        let user = user
        if !user.answersAtOnce { standingBy.begin { user.standBy(prompt) } }
        defer { prompt.end(.answered) }
        return try prompts.showing(prompt, of: context) { () throws(SensorError) in
            try sensor.match(showing: shown, until: prompt)
        }
    }

    /// Tells the device of a match; nil where the sensor names somebody who is not on record, which is no match.
    func record(
        _ match: SensorMatch, in context: KeychainContext?, at ticket: SheetTicket?
    ) throws(KeychainError) -> Effects? {
        let id: String? = if case .matched(let id) = match { id } else { nil }
        let effects = try onVault { (vault) throws(VaultError) in
            try vault.record(matched: id, in: context?.vaultContext, at: ticket)
        }
        if let effects { endPrompts(effects) } else { sensorError = .notEnrolled }
        return effects
    }

    /// Who is enrolled, by name.
    public var enrolledNames: [String] {
        get throws(KeychainError) {
            try onVault { (vault) throws(VaultError) in try vault.knownSensor?.templates.map(\.name) ?? [] }
        }
    }

    /// Bytes that are others once somebody else is enrolled, and that say nothing else; nil where nobody is.
    public var enrollmentHash: [UInt8]? {
        get throws(KeychainError) {
            if sensor != nil { _ = try askSensor() }
            return try onVault { (vault) throws(VaultError) in try vault.enrollmentHash }
        }
    }

    // MARK: - Enrolling

    /// Enrolls a finger or a face on the sensor (on a real device only after the passcode), under a name for people to know
    /// them by. What is bound to the present set of enrollments is lost by it, for good. Gives the effects of what happened to
    /// the device.
    ///
    /// The sensor learns first, and then it is compared as before every decision: whatever happens in between, nothing is
    /// decided by biometry before the device has taken notice.
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

    /// Removes a person from the sensor. A simulated device for faces or eyes refuses, as Apple's do: reset it.
    @discardableResult
    public func removeEnrolled(_ name: String, by requester: Requester? = nil) throws(KeychainError) -> Effects {
        let known = try onVault { (vault) throws(VaultError) in try vault.knownSensor?.templates ?? [] }
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

    /// The settings of a real device ask for the passcode; what is done to a simulated one is done to the device itself.
    private func requireOwner(by requester: Requester?, because reason: String) throws(KeychainError) {
        if isReal { try requirePasscode(in: try makeContext(), by: requester, because: reason) }
    }

    /// Asks the sensor, several times where it makes up its mind: while several are changing it, it is unsteady for a moment.
    private func requireSteadySensor() throws(KeychainError) {
        for _ in 0..<8 {
            if case .believed = try askSensor() { return }
            if sensorError != .unsteady { break }
        }
        throw .sensor(sensorError ?? .timedOut)
    }

    /// Changes what the sensor knows, and takes it in.
    private func change(
        by requester: Requester?, because reason: String,
        _ body: (any BiometricSensor, Device) throws -> Refusal?
    ) throws(KeychainError) -> Effects {
        guard let sensor else { return Effects(.refused(.noSensor)) }
        try requireOwner(by: requester, because: reason)
        try requireSteadySensor()
        let before = try device
        do {
            if let refusal = try body(sensor, before) { return Effects(.refused(refusal)) }
        } catch {
            throw .sensor(error as? SensorError ?? .garbage("\(error)"))
        }
        try requireSteadySensor()  // what it has learned is taken in
        let after = try device
        return after.domainState == before.domainState
            ? Effects(.refused(.nothingToChange)) : Effects(.beginDomainState(after.domainState))
    }

    /// Forgets everybody who is enrolled. The sensor counts as another one afterwards, and what was bound to any biometry is
    /// lost for good. It is also how a sensor is taken into use that is not the one of before.
    @discardableResult
    public func resetSensor(by requester: Requester? = nil) throws(KeychainError) -> Effects {
        guard let sensor else { return Effects(.refused(.noSensor)) }
        try requireOwner(by: requester, because: "forget everybody who is enrolled")
        let effects = try carry { (vault) throws(VaultError) in try vault.resetSensor() }
        if effects.refusal == nil { try forgetEverybody(on: sensor) }
        return effects
    }

    func forgetEverybody(on sensor: any BiometricSensor) throws(KeychainError) {
        do throws(SensorError) {
            if let fake = sensor as? FakeSensor { return try fake.reset() }
            for template in try sensor.enrollments().templates { try sensor.remove(template.id) }
        } catch {
            throw .sensor(error)
        }
    }
}

extension Device {
    /// Why nobody can be enrolled now; nil where somebody can.
    fileprivate var refusalToEnroll: Refusal? {
        guard let another = freeFinger else { return .sensorFull }
        var trial = self
        return trial.apply(.enrolled(another)).refusal
    }
}

extension SensorList {
    /// Whom `sensor` says that it knows.
    fileprivate init(_ sensor: any BiometricSensor) throws(SensorError) {
        let enrollments = try sensor.enrollments()
        self.init(
            sensor: enrollments.sensor,
            names: Dictionary(enrollments.templates.map { ($0.id, $0.name) }) { first, _ in first })
    }
}
