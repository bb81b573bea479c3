internal import DeviceModel

/// The record of the sensor on which the device's owner has enrolled.
struct SensorRecord: Equatable, Sendable {
    /// The sensor; nil until one was asked.
    private(set) var known: KnownSensor?
    /// The memory of a fake sensor, in its own format.
    var fakeMemory: [UInt8] = []

    /// Returns true if a list agrees with the record.
    func holds(_ list: SensorList) -> Bool {
        guard let known, known.identity == list.sensor, known.templates.count == list.names.count else { return false }
        return known.templates.allSatisfy { list.names[$0.id] != nil }
    }

    /// Returns true if a list comes from another sensor.
    func isAnother(_ list: SensorList) -> Bool { known.map { $0.identity != list.sensor } ?? false }

    func templates(missingFrom list: SensorList) -> [KnownSensor.Template] {
        known?.templates.filter { list.names[$0.id] == nil } ?? []
    }

    /// Returns the entries of a list that the record lacks, ordered by identifier.
    func additions(in list: SensorList) -> [(id: String, name: String)] {
        list.names.sorted { $0.key < $1.key }.filter { id, _ in
            known?.templates.contains { $0.id == id } != true
        }.map { ($0.key, $0.value) }
    }

    /// Returns the finger that the sensor matched; nil for one that is not on record.
    func finger(matched id: String?) -> Finger? {
        guard let id else { return .unknown }
        return known?.templates.first { $0.id == id }?.finger
    }

    /// Begins an empty record for a sensor.
    mutating func adopt(_ identity: String) { known = KnownSensor(identity: identity, templates: []) }

    mutating func add(_ template: KnownSensor.Template) { known?.templates.append(template) }

    mutating func remove(_ template: KnownSensor.Template) { known?.templates.removeAll { $0.id == template.id } }
}

extension SensorRecord: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var isThere = known != nil
        try coder.flag("known", &isThere)
        if isThere {
            var sensor = known ?? .blank
            try coder.value("known", &sensor)
            known = sensor
        }
        try coder.bytes("fakeMemory", &fakeMemory)
    }
}
