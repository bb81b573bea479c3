public import DeviceModel

/// Something that tells fingers, faces or eyes apart, and keeps whose it has been shown.
///
/// It checks a finger, and nothing follows from that by itself: what a match is good for, `decide` says. Every call comes
/// back in bounded time or fails, and uses no keychain: it may be asked while the vault is held.
public protocol BiometricSensor: Sendable {
    /// What it is a sensor for.
    var kind: SensorKind { get }
    /// True if anybody can make it say what they like. A vault that keeps secrets takes such a one only if it was made so.
    var isFake: Bool { get }

    /// Everybody that it knows now.
    func enrollments() throws(SensorError) -> Enrollments
    /// Learns somebody new, under a name for people to know them by. `prompt` may end it before it is done.
    func enroll(_ name: String, until prompt: Prompt) throws(SensorError)
    /// Forgets somebody.
    func remove(_ id: Template.ID) throws(SensorError)
    /// Waits for somebody to show up, until `prompt` ends. `shown` is what they show, which only a fake one has to be told.
    func match(showing shown: String?, until prompt: Prompt) throws(SensorError) -> SensorMatch
}

/// Somebody that a sensor knows.
public struct Template: Hashable, Sendable, Identifiable {
    /// What the sensor knows them by: another one each time somebody is enrolled, so that nobody can be exchanged unseen.
    public var id: String
    /// What people know them by.
    public var name: String

    /// Somebody.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// How many bytes an identifier, or a name, may have.
    public static let longest = 128
}

/// Everybody that a sensor knows.
public struct Enrollments: Hashable, Sendable {
    /// Which sensor says so: the same for as long as it is the same sensor.
    public let sensor: String
    /// Whom it knows, in the order of their identifiers.
    public let templates: [Template]

    /// These, of this sensor; a failure where nobody could go by them.
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

/// What a sensor made of what it was shown.
public enum SensorMatch: Hashable, Sendable {
    /// It is this one.
    case matched(Template.ID)
    /// It is nobody it knows.
    case nobody
}

/// Why a sensor did not answer. None of it is a match, and none of it changes what is stored.
public enum SensorError: Error, Hashable, Sendable {
    /// There is none, or it cannot be reached.
    case absent(String)
    /// It did not answer in time.
    case timedOut
    /// It ended without an answer.
    case ended(String)
    /// It said something that cannot be understood.
    case garbage(String)
    /// It said more than anybody wants to hear.
    case flooded
    /// It said one thing, and another when it was asked again.
    case unsteady
    /// It is another sensor than it was, or of another kind.
    case exchanged(String)
    /// It cannot, and says why.
    case refused(String)
    /// It has room for no more.
    case full
    /// This one is enrolled already.
    case alreadyEnrolled
    /// It does not know this one.
    case notEnrolled
    /// The prompt was over before anything was shown.
    case interrupted
    /// It could be changed by others.
    case untrusted(String)
}
