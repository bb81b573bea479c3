public import DeviceModel

/// A sensor that recognizes enrolled fingers, faces or eyes.
///
/// It only matches: `decide` decides what a match allows. Every call returns or fails in bounded time. A sensor must
/// not use a keychain, since a call may come while the vault is held.
public protocol BiometricSensor: Sendable {
    /// The kind of sensor.
    var kind: SensorKind { get }
    /// True if the sensor can be made to answer anything. A vault that stores real secrets accepts such a sensor only
    /// if it was created for one.
    var isFake: Bool { get }
    /// True if only a user at this machine can reach the sensor, and no user who is logged in over a network. False
    /// unless a sensor says otherwise.
    var isAtMachine: Bool { get }

    /// Returns the enrolled set.
    func enrollments() throws(SensorError) -> Enrollments
    /// Enrolls a finger or a face under `name`. If `prompt` ends, it may stop before it is done.
    func enroll(_ name: String, until prompt: Prompt) throws(SensorError)
    /// Removes one enrollment.
    func remove(_ id: Template.ID) throws(SensorError)
    /// Waits for a finger or a face until `prompt` ends. `shown` names it for a fake sensor; others see for themselves.
    func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch
}

extension BiometricSensor {
    /// False: the sensor may be anywhere.
    public var isAtMachine: Bool { false }
}

/// One enrolled finger or face.
public struct Template: Hashable, Sendable, Identifiable {
    /// The sensor's identifier. Each enrollment gets a new one, so that a finger cannot be replaced without notice.
    public var id: String
    /// The name that people use.
    public var name: String

    /// Creates a template.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The longest identifier, and the longest name, in bytes.
    public static let longest = 128
}

/// The enrolled set of a sensor.
public struct Enrollments: Hashable, Sendable {
    /// The identity of the sensor. It never changes for one sensor.
    public let sensor: String
    /// The enrollments, ordered by their identifiers.
    public let templates: [Template]

    /// Creates a set. Throws `garbage` if an identifier or a name has a wrong length, or if two identifiers are equal.
    public init(sensor: String, _ templates: [Template]) throws(SensorError) {
        guard (1...Template.longest).contains(sensor.utf8.count) else {
            throw .garbage("the name of the sensor has to have 1 to \(Template.longest) bytes")
        }
        for template in templates {
            guard (1...Template.longest).contains(template.id.utf8.count), template.name.utf8.count <= Template.longest
            else {
                throw .garbage(
                    "identifiers and names have at most \(Template.longest) bytes, and identifiers at least one")
            }
        }
        guard Set(templates.map(\.id)).count == templates.count else {
            throw .garbage("two enrollments have one identifier")
        }
        self.sensor = sensor
        self.templates = templates.sorted { $0.id < $1.id }
    }
}

/// The result of a match.
public enum SensorMatch: Hashable, Sendable {
    /// This enrollment matched.
    case matched(Template.ID)
    /// No enrollment matched.
    case noMatch
}

/// The reason why a sensor did not answer. It never counts as a match, and changes nothing that is stored.
public enum SensorError: Error, Hashable, Sendable {
    /// There is no sensor, or it cannot be reached.
    case absent(String)
    /// The sensor did not answer in time.
    case timedOut
    /// The sensor's command ended without an answer.
    case ended(String)
    /// The answer cannot be understood.
    case garbage(String)
    /// The answer is too long.
    case flooded
    /// Two lists in a row were different.
    case unsteady
    /// This is another sensor than before, or one of another kind.
    case exchanged(String)
    /// The sensor refused, for this reason.
    case refused(String)
    /// The sensor has no room for another enrollment.
    case full
    /// This finger or face, or this name, is enrolled already.
    case alreadyEnrolled
    /// The sensor has no such enrollment.
    case notEnrolled
    /// The prompt ended before anything was shown to the sensor.
    case interrupted
    /// Another user could change the sensor's command.
    case untrusted(String)
}
