internal import DeviceModel

/// The record of the sensor whose enrollments the device has.
struct SensorRecord: Equatable, Sendable {
    /// The sensor, once one was asked.
    private(set) var known: KnownSensor?
    /// The memory of a fake sensor, in its own words.
    var fakeMemory: [UInt8] = []

    /// Returns true if a list is what is on record.
    func holds(_ list: SensorList) -> Bool {
        guard let known, known.identity == list.sensor, known.templates.count == list.names.count else { return false }
        return known.templates.allSatisfy { list.names[$0.id] != nil }
    }

    /// Returns true if a list is that of another sensor.
    func isAnother(_ list: SensorList) -> Bool { known.map { $0.identity != list.sensor } ?? false }

    /// Returns the templates on record that a list lacks.
    func templates(missingFrom list: SensorList) -> [KnownSensor.Template] {
        known?.templates.filter { list.names[$0.id] == nil } ?? []
    }

    /// Returns what a list has more than the record, by identifiers.
    func additions(in list: SensorList) -> [(id: String, name: String)] {
        list.names.sorted { $0.key < $1.key }.filter { id, _ in
            known?.templates.contains { $0.id == id } != true
        }.map { ($0.key, $0.value) }
    }

    /// Returns the finger that the sensor found; nil for one that is not on record.
    func finger(matched id: String?) -> Finger? {
        guard let id else { return .unknown }
        return known?.templates.first { $0.id == id }?.finger
    }

    /// Begins the record of a sensor.
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
