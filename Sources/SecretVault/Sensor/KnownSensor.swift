public import DeviceModel

/// The sensor whose enrolments a device has, as the vault has it on record.
public struct KnownSensor: Hashable, Sendable {
    /// Somebody it knows.
    public struct Template: Hashable, Sendable {
        /// What the sensor knows them by.
        public let id: String
        /// What people know them by.
        public let name: String
        /// What the device knows them by.
        public let finger: Finger
    }

    /// Which sensor it is, in its own words.
    public let identity: String
    /// Whom it knows.
    public internal(set) var templates: [Template]
}

/// Whom a sensor says that it knows.
package struct SensorList: Hashable, Sendable {
    let sensor: String
    /// Names by identifiers.
    let names: [String: String]

    /// This list of this sensor, names by identifiers.
    package init(sensor: String, names: [String: String]) {
        self.sensor = sensor
        self.names = names
    }
}

/// What became of a list that a sensor gave.
package enum ListTaken: Sendable {
    /// It is what is on record now; these events happened for it.
    case known([Effects])
    /// It is another sensor's.
    case exchanged
    /// The sensor said something else when it was asked again.
    case unsteady
    /// The device does not take it.
    case refused(Refusal)
}

extension KnownSensor {
    static func write(_ sensor: KnownSensor?, to bytes: inout [UInt8]) {
        bytes.write(sensor == nil ? 0 : 1 as UInt8)
        guard let sensor else { return }
        bytes.write(text: sensor.identity)
        bytes.write(UInt8(sensor.templates.count))
        for template in sensor.templates {
            bytes.write(text: template.id)
            bytes.write(text: template.name)
            bytes.write(template.finger.rawValue)
        }
    }

    static func read(from reader: inout ByteReader) throws -> KnownSensor? {
        guard try reader.bool() else { return nil }
        let identity = String(decoding: try reader.slice(), as: UTF8.self)
        var templates: [Template] = []
        for _ in 0..<(try reader.number(UInt8.self)) {
            let id = String(decoding: try reader.slice(), as: UTF8.self)
            let name = String(decoding: try reader.slice(), as: UTF8.self)
            guard let finger = Finger(rawValue: try reader.number()) else { throw ByteReader.Malformed() }
            templates.append(Template(id: id, name: name, finger: finger))
        }
        return KnownSensor(identity: identity, templates: templates)
    }
}
