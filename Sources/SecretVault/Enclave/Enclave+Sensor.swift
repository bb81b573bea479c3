internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Returns true if a list is what is on record.
    mutating func isOnRecord(_ list: SensorList) throws -> Bool {
        try refresh()
        return bag.sensor.holds(list)
    }

    /// Takes a list in that differs from the record: each difference is an enrollment event, which changes device, keys and
    /// record in one transaction. The sensor is asked once more under the lock, so that nobody takes in what is over by now.
    mutating func recordEnrollments(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws
        -> EnrollmentRecording
    {
        let store = store
        return try store.locked {
            if try isOnRecord(list) { return .known([]) }
            guard again(bag.sensor.fakeMemory) == list else { return .unsteady }
            if bag.sensor.isAnother(list) { return .exchanged }
            // What cannot be taken in as a whole changes nothing: each event would destroy what is bound to the set before it.
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

    /// From now on the device's enrollments are those of this sensor.
    private mutating func adoptSensor(_ identity: String) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            bag.sensor.adopt(identity)
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }

    /// All enrollments go, and the next sensor that is asked is the one that counts.
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
