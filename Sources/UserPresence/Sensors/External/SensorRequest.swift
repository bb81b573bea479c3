package import DeviceModel
package import PlainText

/// A request to a sensor's command.
enum SensorRequest {
    case list
    case match
    case enroll(name: String)
    case remove(Template.ID)

    /// True if a person waits at the sensor for instructions. A list is requested while the vault is held.
    var isForPeople: Bool { if case .list = self { false } else { true } }

    /// The line that the command reads.
    var line: String {
        let wish =
            switch self {
            case .list: #""do":"list""#
            case .match: #""do":"match""#
            case .enroll(let name): #""do":"enrol","name":\#(JSON.quoted(name))"#
            case .remove(let id): #""do":"remove","id":\#(JSON.quoted(id))"#
            }
        return #"{"latchkey":1,\#(wish)}"# + "\n"
    }
}

/// The final line of a sensor's command. Each kind of answer has its own keys, and no others.
package struct FinalLine: Sendable {
    private let members: [String: JSON]

    /// Reads a final line. Throws if it reports a failure.
    package init(_ members: [String: JSON]) throws(SensorError) {
        self.members = members
        guard members["failed"] != nil else { return }
        var names: Set = ["failed"]
        if members["reason"] != nil { names.insert("reason") }
        try requireNames(names)
        let why = Terminal.sentence(try text("failed"), longest: SensorAnswer.longestSaying)
        guard members["reason"] != nil else { throw .refused(why) }
        switch try text("reason") {
        case "absent": throw .absent(why)
        case "already": throw .alreadyEnrolled
        case "full": throw .full
        case "unknown": throw .notEnrolled
        default: throw .refused(why)
        }
    }

    /// Returns the enrolled set from the answer to `list`. Throws if the sensor is of another kind.
    package func enrollments(kind: SensorKind) throws(SensorError) -> Enrollments {
        try requireNames(["sensor", "kind", "enrolled"])
        let sensor = try text("sensor")
        let announced = try text("kind")
        guard case .array(let values)? = members["enrolled"] else { throw .garbage("\"enrolled\" is no array") }
        var templates: [Template] = []
        for value in values {
            guard case .object(let template) = value, template.count == 2,
                case .string(let id)? = template["id"], case .string(let name)? = template["name"]
            else { throw .garbage("an enrollment has an identifier and a name, and nothing else") }
            templates.append(Template(id: id, name: name))
        }
        let enrollments = try Enrollments(sensor: sensor, templates)
        guard announced == kind.word else {
            throw .exchanged("it should be one for \(kind.word), and says that it is another")
        }
        return enrollments
    }

    /// Returns the result from the answer to `match`.
    package func match() throws(SensorError) -> SensorMatch {
        try requireNames(["matched"])
        if members["matched"] == .null { return .noMatch }
        return .matched(try identifier("matched"))
    }

    /// Throws unless the answer confirms an enrollment.
    package func requireEnrolled() throws(SensorError) {
        try requireNames(["enrolled"])
        _ = try identifier("enrolled")
    }

    /// Throws unless the answer confirms that `id` was removed.
    package func requireRemoved(_ id: Template.ID) throws(SensorError) {
        try requireNames(["removed"])
        guard try identifier("removed") == id else { throw .garbage("it removed another enrollment") }
    }

    private func requireNames(_ names: Set<String>) throws(SensorError) {
        guard Set(members.keys) == names else {
            throw .garbage("its final line has other names than \(names.sorted().joined(separator: ", "))")
        }
    }

    private func text(_ name: String) throws(SensorError) -> String {
        guard case .string(let text)? = members[name] else { throw .garbage("\"\(name)\" is no text") }
        return text
    }

    private func identifier(_ name: String) throws(SensorError) -> Template.ID {
        let id = try text(name)
        guard (1...Template.longest).contains(id.utf8.count) else {
            throw .garbage("an identifier has 1 to \(Template.longest) bytes")
        }
        return id
    }
}

extension SensorKind {
    /// The word for this kind in the protocol of a sensor's command.
    var word: String {
        switch self {
        case .none: "none"
        case .touchID: "touchID"
        case .faceID: "faceID"
        case .opticID: "opticID"
        }
    }
}
