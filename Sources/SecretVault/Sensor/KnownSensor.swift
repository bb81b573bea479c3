public import DeviceModel

/// The sensor whose enrollments a device has, as the vault has it on record.
public struct KnownSensor: Hashable, Sendable {
    /// Somebody it knows.
    public struct Template: Hashable, Sendable {
        /// What the sensor knows them by.
        public internal(set) var id: String
        /// What people know them by.
        public internal(set) var name: String
        /// What the device knows them by.
        public internal(set) var finger: Finger
    }

    /// Which sensor it is, in its own words.
    public internal(set) var identity: String
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
package enum EnrollmentRecording: Sendable {
    /// It is what is on record now; these events happened for it.
    case known([Effects])
    /// It is another sensor's.
    case exchanged
    /// The sensor said something else when it was asked again.
    case unsteady
    /// The device does not take it.
    case refused(Refusal)
}

extension KnownSensor: Stored {
    /// A sensor before it is read.
    static let blank = KnownSensor(identity: "", templates: [])

    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("identity", &identity)
        try coder.list("templates", &templates, countedBy: UInt8.self, blank: .blank)
    }
}

extension KnownSensor.Template: Stored {
    /// A template before it is read.
    static let blank = Self(id: "", name: "", finger: .unknown)

    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("id", &id)
        try coder.text("name", &name)
        var number = finger.rawValue
        try coder.number("finger", &number)
        try coder.require(Finger(rawValue: number) != nil)
        finger = Finger(rawValue: number) ?? finger
    }
}
