internal import AccessPolicy
package import DeviceModel

extension Vault {
    /// The sensor on which the owner has enrolled; nil until one was asked.
    public var knownSensor: KnownSensor? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.sensor.known
            }
        }
    }

    /// A hash of the enrolled set that no other device has; nil if no finger is enrolled.
    package var enrollmentHash: [UInt8]? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.device.enrolled.isEmpty
                    ? nil : try enclave.store.fixed.hash(of: enclave.device.domainState)
            }
        }
    }

    /// Returns true if a sensor's list agrees with the record.
    package func isOnRecord(_ list: SensorList) throws(VaultError) -> Bool { try run { try $0.isOnRecord(list) } }

    /// Returns true if the list that `read` finds in the memory of a fake sensor is the one on record. `read` must not use
    /// the vault.
    package func isOnRecord(reading read: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws(VaultError) -> Bool {
        try run { enclave in
            try enclave.refresh()
            let sensor = enclave.bag.sensor
            return read(sensor.fakeMemory).map { sensor.holds($0) } ?? false
        }
    }

    /// Records a list that differs from the record, as the enrollment events that it shows. `again` asks the sensor
    /// once more under the vault's lock. It must not use the vault, so it gets the memory of a fake sensor as an
    /// argument.
    package func recordEnrollments(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?)
        throws(VaultError)
        -> EnrollmentRecording
    {
        try run { try $0.recordEnrollments(list, again: again) }
    }

    /// Removes every enrolled finger and forgets the sensor.
    @discardableResult
    package func resetSensor() throws(VaultError) -> Effects { try run { try $0.resetSensor() } }

    /// Records that the sensor matched the finger `id`, or no enrolled finger. Returns nil for a finger that is not on
    /// record; the device then learns nothing.
    ///
    /// The finger is looked up under the lock, because another finger may take a number that becomes free.
    ///
    /// A match on a locked device opens it, and counts in `context` if that context asked for it (`isToUnlock`).
    package func record(
        matched id: String?, in context: VaultContext?, at sheet: PromptTicket?, isToUnlock: Bool = false
    ) throws(VaultError) -> Effects? {
        try run(in: context) { enclave, state in
            let store = enclave.store
            return try store.locked { () -> Effects? in
                try enclave.refresh()
                // The settings say if the vault is real, if it accepts a fake sensor, and which sensor it has.
                if !enclave.hasCheckedSettings { return Effects(.refused(.passcodeRequired)) }
                guard let finger = enclave.bag.sensor.finger(matched: id) else { return nil }
                return try enclave.present(
                    finger, at: sheet, in: context == nil ? nil : state, isToUnlock: isToUnlock)
            }
        }
    }

    package var fakeSensorMemory: [UInt8] {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.sensor.fakeMemory
            }
        }
    }

    /// Changes the memory of a fake sensor while no other program can. `change` must not use the vault.
    package func change(
        fakeSensorMemory change: (_ before: [UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        var refusal: (any Error)?
        let memory: [UInt8]? = try run { enclave in
            let store = enclave.store
            return try store.locked { () -> [UInt8]? in
                try enclave.refresh()
                let before = enclave.bag.sensor.fakeMemory
                do {
                    let after = try change(before)
                    if after != before { try enclave.rememberForFakeSensor(after) }
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
