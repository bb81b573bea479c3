public import DeviceModel

/// The sensor on which the device's owner has enrolled, as the vault's record has it.
public struct KnownSensor: Hashable, Sendable {
    /// One enrolled finger.
    public struct Template: Hashable, Sendable {
        /// The sensor's name for the finger.
        public internal(set) var id: String
        /// The name that people see.
        public internal(set) var name: String
        /// The device's number for the finger.
        public internal(set) var finger: Finger
    }

    /// The sensor's identity, in its own words.
    public internal(set) var identity: String
    /// The fingers that are enrolled on it.
    public internal(set) var templates: [Template]
}

/// The list of enrolled fingers, as a sensor reports it.
package struct SensorList: Hashable, Sendable {
    let sensor: String
    /// The names of the fingers, by identifier.
    let names: [String: String]

    /// Creates the list that a sensor reports: the names of its fingers, by identifier.
    package init(sensor: String, names: [String: String]) {
        self.sensor = sensor
        self.names = names
    }
}

/// The result of recording a sensor's list.
package enum EnrollmentRecording: Sendable {
    /// The list is on record now. These events happened for it.
    case known([Effects])
    /// The list comes from another sensor.
    case exchanged
    /// The sensor gave another list when it was asked again.
    case unsteady
    /// The device does not accept the list.
    case refused(Refusal)
}

extension KnownSensor: Stored {
    /// A sensor before it is read.
    static let blank = KnownSensor(identity: "", templates: [])

    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("identity", &identity)
        try coder.list("templates", &templates, countedBy: UInt8.self, blank: .blank)
    }
}

extension KnownSensor.Template: Stored {
    /// A template before it is read.
    static let blank = Self(id: "", name: "", finger: .unknown)

    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("id", &id)
        try coder.text("name", &name)
        var number = finger.rawValue
        try coder.number("finger", &number)
        try coder.require(Finger(rawValue: number) != nil)
        finger = Finger(rawValue: number) ?? finger
    }
}
