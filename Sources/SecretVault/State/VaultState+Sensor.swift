internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Returns true if a list from the sensor equals the record.
    mutating func isOnRecord(_ list: SensorList) throws -> Bool {
        try refresh()
        return bag.sensor.holds(list)
    }

    /// Records a list from the sensor. Each difference from the record is an enrollment event, which changes device,
    /// keys and record in one transaction. The sensor is read again under the lock, so that no outdated list is
    /// recorded.
    mutating func recordEnrollments(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws
        -> EnrollmentRecording
    {
        let store = store
        return try store.locked {
            if try isOnRecord(list) { return .known([]) }
            guard again(bag.sensor.fakeMemory) == list else { return .unsteady }
            if bag.sensor.isAnother(list) { return .exchanged }
            // A list that is too long changes nothing, because each event would invalidate the items bound to the set
            // before it.
            if list.names.count > device.settings.sensor.capacity { return .refused(.sensorFull) }
            if bag.sensor.known == nil { try adoptSensor(list.sensor) }
            var happened: [Effects] = []
            for template in bag.sensor.templates(missingFrom: list) {
                let effects = try happen(.sensorForgot(template.finger), EventKeys()) { bag in
                    bag.sensor.remove(template)
                }
                if let refusal = effects.refusal { return .refused(refusal) }
                happened.append(effects)
            }
            for (id, name) in bag.sensor.additions(in: list) {
                guard let finger = device.freeFinger else { return .refused(.sensorFull) }
                let effects = try happen(.enrolled(finger), EventKeys()) { bag in
                    bag.sensor.add(KnownSensor.Template(id: id, name: name, finger: finger))
                }
                if let refusal = effects.refusal { return .refused(refusal) }
                happened.append(effects)
            }
            return .known(happened)
        }
    }

    /// Records this sensor as the one whose enrolled set counts.
    private mutating func adoptSensor(_ identity: String) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            bag.sensor.adopt(identity)
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }

    /// Removes all enrollments. The next sensor that is read becomes the one whose enrolled set counts.
    mutating func resetSensor() throws -> Effects {
        try happen(.biometryReset, EventKeys()) { $0.sensor = SensorRecord() }
    }

    mutating func rememberForFakeSensor(_ bytes: [UInt8]) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            bag.sensor.fakeMemory = bytes
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }
}
