internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Returns true if a list is what is on record.
    mutating func isOnRecord(_ list: SensorList) throws -> Bool {
        try refresh()
        guard let known = bag.sensor, known.identity == list.sensor, known.templates.count == list.names.count else {
            return false
        }
        return known.templates.allSatisfy { list.names[$0.id] != nil }
    }

    /// Takes a list in that differs from the record: each difference is an enrolment event, which changes device, keys and
    /// record in one transaction. The sensor is asked once more under the lock, so that nobody takes in what is over by now.
    mutating func takeIn(_ list: SensorList, again: (_ fakeSensorMemory: [UInt8]) -> SensorList?) throws -> ListTaken {
        let store = store
        return try store.locked {
            if try isOnRecord(list) { return .known([]) }
            guard again(bag.fakeSensor) == list else { return .unsteady }
            if let known = bag.sensor, known.identity != list.sensor { return .exchanged }
            // What cannot be taken in as a whole changes nothing: each event would destroy what is bound to the set before it.
            if list.names.count > device.settings.sensor.capacity { return .refused(.sensorFull) }
            if bag.sensor == nil { try adoptSensor(list.sensor) }
            var happened: [Effects] = []
            for template in bag.sensor?.templates ?? [] where list.names[template.id] == nil {
                let effects = try happen(.sensorForgot(template.finger), EventKeys()) { bag in
                    bag.sensor?.templates.removeAll { $0.id == template.id }
                }
                if let refusal = effects.refusal { return .refused(refusal) }
                happened.append(effects)
            }
            for (id, name) in list.names.sorted(by: { $0.key < $1.key }) {
                if bag.sensor?.templates.contains(where: { $0.id == id }) == true { continue }
                guard let finger = device.freeFinger else { return .refused(.sensorFull) }
                let effects = try happen(.enrolled(finger), EventKeys()) { bag in
                    bag.sensor?.templates.append(KnownSensor.Template(id: id, name: name, finger: finger))
                }
                if let refusal = effects.refusal { return .refused(refusal) }
                happened.append(effects)
            }
            return .known(happened)
        }
    }

    /// From now on the device's enrolments are those of this sensor.
    private mutating func adoptSensor(_ identity: String) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            bag.sensor = KnownSensor(identity: identity, templates: [])
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }

    /// Who is meant by what the sensor found; nil for somebody who is not on record.
    func finger(matched id: String?) -> Finger? {
        guard let id else { return .unknown }
        return bag.sensor?.templates.first { $0.id == id }?.finger
    }

    /// All enrolments go, and the next sensor that is asked is the one that counts.
    mutating func resetSensor() throws -> Effects {
        try happen(.biometryReset, EventKeys()) { bag in
            bag.sensor = nil
            bag.fakeSensor = []
        }
    }

    mutating func rememberForFakeSensor(_ bytes: [UInt8]) throws {
        try transaction(lasting: true) { enclave in
            var bag = enclave.bag
            bag.fakeSensor = bytes
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }
}
