internal import AccessPolicy
package import DeviceModel

extension Vault {
    /// The sensor on which the owner has enrolled; nil until one was asked.
    public var knownSensor: KnownSensor? {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.bag.sensor.known
            }
        }
    }

    /// A hash of the enrolled set that no other device has; nil if no finger is enrolled.
    package var enrollmentHash: [UInt8]? {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.device.enrolled.isEmpty
                    ? nil : try vault.store.fixed.hash(of: vault.device.domainState)
            }
        }
    }

    /// Returns true if a sensor's list agrees with the record.
    package func isOnRecord(_ list: SensorList) throws(VaultError) -> Bool {
        try run { vault in
            try vault.refresh()
            return vault.bag.sensor.holds(list)
        }
    }

    /// Returns true if the list that `read` finds in the memory of a fake sensor is the one on record. `read` must not use
    /// the vault.
    package func isOnRecord(reading read: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws(VaultError) -> Bool {
        try run { vault in
            try vault.refresh()
            let sensor = vault.bag.sensor
            return read(sensor.fakeMemory).map { sensor.holds($0) } ?? false
        }
    }

    /// Records a list that differs from the record, as the enrollment events that it shows. Each event changes device, keys
    /// and record in one transaction.
    ///
    /// `again` asks the sensor once more under the vault's lock, so that no outdated list is recorded. It must not use the
    /// vault, so it gets the memory of a fake sensor as an argument.
    package func recordEnrollments(
        _ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?
    ) throws(VaultError) -> EnrollmentRecording {
        try run { vault in
            try vault.lockedAndRefreshed { vault in
                let record = vault.bag.sensor
                if record.holds(list) { return .known([]) }
                guard again(record.fakeMemory) == list else { return .unsteady }
                if record.isAnother(list) { return .exchanged }
                // A list that is too long changes nothing, because each event would invalidate the items bound to the set
                // before it.
                if list.names.count > vault.device.settings.sensor.capacity { return .refused(.sensorFull) }
                if record.known == nil { try vault.amendKeybag { $0.sensor.adopt(list.sensor) } }
                var happened: [Effects] = []
                for template in vault.bag.sensor.templates(missingFrom: list) {
                    let effects = try vault.happen(.sensorForgot(template.finger), EventKeys()) { bag in
                        bag.sensor.remove(template)
                    }
                    if let refusal = effects.refusal { return .refused(refusal) }
                    happened.append(effects)
                }
                for (id, name) in vault.bag.sensor.additions(in: list) {
                    guard let finger = vault.device.freeFinger else { return .refused(.sensorFull) }
                    let effects = try vault.happen(.enrolled(finger), EventKeys()) { bag in
                        bag.sensor.add(KnownSensor.Template(id: id, name: name, finger: finger))
                    }
                    if let refusal = effects.refusal { return .refused(refusal) }
                    happened.append(effects)
                }
                return .known(happened)
            }
        }
    }

    /// Removes every enrolled finger and forgets the sensor. The next sensor that is read becomes the one whose enrolled set
    /// counts.
    @discardableResult
    package func resetSensor() throws(VaultError) -> Effects {
        try run { try $0.happen(.biometryReset, EventKeys()) { $0.sensor = SensorRecord() } }
    }

    /// Records that the sensor matched the finger `id`, or no enrolled finger. Returns nil for a finger that is not on
    /// record; the device then learns nothing.
    ///
    /// The finger is looked up under the lock, because another finger may take a number that becomes free.
    ///
    /// A match on a locked device opens it, and counts in `context` if that context asked for it (`isToUnlock`).
    package func record(
        matched id: String?, in context: VaultContext?, at sheet: PromptTicket?, isToUnlock: Bool = false
    ) throws(VaultError) -> Effects? {
        try run(in: context) { vault, state in
            try vault.lockedAndRefreshed { vault in
                // The settings say if the vault is real, if it accepts a fake sensor, and which sensor it has.
                if !vault.hasCheckedSettings { return Effects(.refused(.passcodeRequired)) }
                guard let finger = vault.bag.sensor.finger(matched: id) else { return nil }
                return try vault.present(
                    finger, at: sheet, in: context == nil ? nil : state, isToUnlock: isToUnlock)
            }
        }
    }

    /// Records an authenticator's result. With a context, the result is evidence there, unless its prompt is over.
    @discardableResult
    package func record(
        _ found: AuthenticatorResult, in context: VaultContext? = nil, at sheet: PromptTicket? = nil
    ) throws(VaultError) -> Effects {
        try run(in: context) { vault, state in
            switch found.result {
            case .presented(let finger):
                return try vault.present(finger, at: sheet, in: context == nil ? nil : state)
            case .confirmedByCompanion:
                let context = context == nil ? ContextState(ring) : state
                let isConfirmed = try vault.confirmByCompanion(at: sheet, in: context)
                return Effects(isConfirmed ? .authenticated(.companion) : .rejected(.companion))
            }
        }
    }

    package var fakeSensorMemory: [UInt8] {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.bag.sensor.fakeMemory
            }
        }
    }

    /// Changes the memory of a fake sensor while no other program can. `change` must not use the vault.
    package func change(
        fakeSensorMemory change: (_ before: [UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        var refusal: (any Error)?
        let memory: [UInt8]? = try run { vault in
            try vault.lockedAndRefreshed { vault in
                let before = vault.bag.sensor.fakeMemory
                do {
                    let after = try change(before)
                    if after != before { try vault.amendKeybag { $0.sensor.fakeMemory = after } }
                    return after
                } catch let error where !(error is VaultError || error is StorageError) {
                    refusal = error
                    return nil
                }
            }
        }
        if let refusal { throw refusal }
        return memory ?? []
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
