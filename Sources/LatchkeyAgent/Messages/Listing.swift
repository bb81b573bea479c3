internal import AccessPolicy
internal import PlainText

/// A secret as it is listed: what it is called, what it demands, and nothing of what it is.
package struct Entry: Hashable, Sendable {
    /// Its name, a path.
    package var name: String
    /// What it demands.
    package var demand: Demand
    /// What is noted beside it.
    package var comment: String
    /// When it was stored, in seconds since 1970.
    package var created: Int64
    /// When it was last changed.
    package var modified: Int64

    package init(name: String, demand: Demand, comment: String, created: Int64, modified: Int64) {
        self.name = name
        self.demand = demand
        self.comment = comment
        self.created = created
        self.modified = modified
    }

    /// What `head` says.
    package init(reading head: inout Head) throws(WireFault) {
        name = try head.takeText("name")
        guard var policy = try head.takeHeadIfThere("policy") else { throw .malformed("\"policy\" is missing") }
        demand = try Demand(from: &policy)
        comment = try head.takeText("comment")
        created = try head.takeNumber("created")
        modified = try head.takeNumber("modified")
    }

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        Head([
            "name": .string(name), "policy": .object(demand.head.fields), "comment": .string(comment),
            "created": .number("\(created)"), "modified": .number("\(modified)"),
        ])
    }
}

/// What would be decided if a secret were asked for now.
package enum Outlook: Hashable, Sendable {
    /// It would be released without asking anybody.
    case granted
    /// One of these sets of factors would have to be proved; the first is asked for.
    case asks([[String]])
    /// It would not; by which rule, what that says, and the way out.
    case denied(rule: String, message: String, remedy: String)

    /// What `decide` said.
    init(_ decision: Decision) {
        switch decision {
        case .granted: self = .granted
        case .challenge(let ways): self = .asks(ways.map { way in way.map(\.name) })
        case .denied(let denial):
            self = .denied(
                rule: denial.rule.identifier, message: denial.rule.summary, remedy: denial.rule.remedy.rawValue)
        }
    }

    /// What `head` says.
    package init(reading head: inout Head) throws(WireFault) {
        switch try head.takeText("verdict") {
        case "granted": self = .granted
        case "asks":
            var ways: [[String]] = []
            for value in try head.takeList("ways") {
                guard case .array(let factors) = value else { throw .malformed("\"ways\" is a list of lists") }
                ways.append(factors.compactMap { if case .string(let factor) = $0 { factor } else { nil } })
            }
            self = .asks(ways)
        case "denied":
            self = .denied(
                rule: try head.takeText("rule"), message: try head.takeText("message"),
                remedy: try head.takeText("remedy"))
        default: throw .malformed("there is no verdict of this name")
        }
    }

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        switch self {
        case .granted: Head(["verdict": .string("granted")])
        case .asks(let ways):
            Head([
                "verdict": .string("asks"),
                "ways": .array(ways.map { .array($0.map { .string($0) }) }),
            ])
        case .denied(let rule, let message, let remedy):
            Head([
                "verdict": .string("denied"), "rule": .string(rule), "message": .string(message),
                "remedy": .string(remedy),
            ])
        }
    }
}
