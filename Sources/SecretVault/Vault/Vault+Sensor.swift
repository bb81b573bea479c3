internal import AccessPolicy
package import DeviceModel

extension Vault {
    /// The sensor whose enrollments the device has, once one was asked.
    public var knownSensor: KnownSensor? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.sensor.known
            }
        }
    }

    /// A hash of the enrollment set that no other device has; nil without an enrollment.
    package var enrollmentHash: [UInt8]? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.device.enrolled.isEmpty
                    ? nil : try enclave.store.fixed.hash(of: enclave.device.domainState)
            }
        }
    }

    /// Returns true if a sensor's list is what is on record.
    package func isOnRecord(_ list: SensorList) throws(VaultError) -> Bool { try run { try $0.isOnRecord(list) } }

    /// Takes a list in that differs from the record, as the enrollment events that it shows. `again` asks the sensor once
    /// more, under the vault's lock; it must not use the vault, and so is lent what a fake sensor remembers.
    package func recordEnrollments(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?)
        throws(VaultError)
        -> EnrollmentRecording
    {
        try run { try $0.recordEnrollments(list, again: again) }
    }

    /// Forgets everybody who is enrolled, and the sensor that they are enrolled on.
    @discardableResult
    package func resetSensor() throws(VaultError) -> Effects { try run { try $0.resetSensor() } }

    /// Takes in that the sensor found `id`, or nobody. Nil for somebody who is not on record, of whom the device is not told.
    ///
    /// Who that is to the device is looked up under the lock: a place that becomes free is another one's next.
    package func record(
        matched id: String?, in context: VaultContext?, at sheet: SheetTicket?
    ) throws(VaultError) -> Effects? {
        try run(in: context) { enclave, state in
            let store = enclave.store
            return try store.locked { () -> Effects? in
                try enclave.refresh()
                guard let finger = enclave.bag.sensor.finger(matched: id) else { return nil }
                return try enclave.present(finger, at: sheet, in: context == nil ? nil : state)
            }
        }
    }

    /// What a fake sensor remembers.
    package var fakeSensorMemory: [UInt8] {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.bag.sensor.fakeMemory
            }
        }
    }

    /// Has a fake sensor change what it remembers, while nobody else can. `change` must not use the vault.
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
