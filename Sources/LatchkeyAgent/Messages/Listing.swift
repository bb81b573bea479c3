internal import AccessPolicy
internal import PlainText

/// A secret as it is listed: what it is called, what it demands, and nothing of what it is.
package struct Entry: Hashable, Sendable {
    /// Its name, a path.
    package var name: String
    /// What it demands.
    package var policy: ItemPolicy
    /// What is noted beside it.
    package var comment: String
    /// When it was stored, in seconds since 1970.
    package var created: Int64
    /// When it was last changed.
    package var modified: Int64

    package init(name: String, policy: ItemPolicy, comment: String, created: Int64, modified: Int64) {
        self.name = name
        self.policy = policy
        self.comment = comment
        self.created = created
        self.modified = modified
    }

    /// What `head` says.
    package init(reading head: inout Head) throws(WireError) {
        name = try head.consumeText("name")
        guard var fields = try head.consumeHeadIfPresent("policy") else { throw .malformed("\"policy\" is missing") }
        policy = try ItemPolicy(from: &fields)
        comment = try head.consumeText("comment")
        created = try head.consumeNumber("created")
        modified = try head.consumeNumber("modified")
    }

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        Head([
            "name": .string(name), "policy": .object(policy.head.fields), "comment": .string(comment),
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
    package init(reading head: inout Head) throws(WireError) {
        switch try head.consumeText("verdict") {
        case "granted": self = .granted
        case "asks":
            var ways: [[String]] = []
            for value in try head.consumeList("ways") {
                guard case .array(let factors) = value else { throw .malformed("\"ways\" is a list of lists") }
                ways.append(factors.compactMap { if case .string(let factor) = $0 { factor } else { nil } })
            }
            self = .asks(ways)
        case "denied":
            self = .denied(
                rule: try head.consumeText("rule"), message: try head.consumeText("message"),
                remedy: try head.consumeText("remedy"))
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
