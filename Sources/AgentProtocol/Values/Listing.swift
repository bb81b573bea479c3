package import AccessPolicy
internal import PlainText

/// A secret in a list: everything but its content.
package struct Entry: Hashable, Sendable {
    /// The name, a path such as work/token.
    package var name: String
    package var policy: ItemPolicy
    package var comment: String
    /// The time when it was stored, in seconds since 1970.
    package var created: Int64
    /// The time when it was last changed, in seconds since 1970.
    package var modified: Int64

    package init(name: String, policy: ItemPolicy, comment: String, created: Int64, modified: Int64) {
        self.name = name
        self.policy = policy
        self.comment = comment
        self.created = created
        self.modified = modified
    }

    package init(reading head: inout Head) throws(WireError) {
        name = try head.consumeText("name")
        guard var fields = try head.consumeHeadIfPresent("policy") else { throw .malformed("\"policy\" is missing") }
        policy = try ItemPolicy(from: &fields)
        comment = try head.consumeText("comment")
        created = try head.consumeNumber("created")
        modified = try head.consumeNumber("modified")
    }

    /// The text of ``head``.
    package var text: String {
        var bytes: [UInt8] = []
        Self.write(
            name: name.utf8Span.span, policy: policy.text, comment: comment.utf8Span.span, created, modified,
            to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of an entry to `bytes`, written at once, because a vault may have very many secrets. A test
    /// compares it with ``head``.
    package static func write(
        name: Span<UInt8>, policy: String, comment: Span<UInt8>, _ created: Int64, _ modified: Int64,
        to bytes: inout [UInt8]
    ) {
        bytes += "{\"comment\":".utf8
        JSON.quote(comment, to: &bytes)
        bytes += ",\"created\":".utf8
        bytes += String(created).utf8
        bytes += ",\"modified\":".utf8
        bytes += String(modified).utf8
        bytes += ",\"name\":".utf8
        JSON.quote(name, to: &bytes)
        bytes += ",\"policy\":".utf8
        bytes += policy.utf8
        bytes.append(UInt8(ascii: "}"))
    }

    /// The object that represents the entry on the wire and in `--json` output.
    package var head: Head {
        Head([
            "name": .string(name), "policy": .object(policy.head.fields), "comment": .string(comment),
            "created": .number("\(created)"), "modified": .number("\(modified)"),
        ])
    }
}

/// A deleted secret that can be brought back.
package struct DeletedEntry: Hashable, Sendable {
    /// The secret as it was in a list.
    package var entry: Entry
    /// The time when it was deleted, in seconds since 1970.
    package var deleted: Int64

    package init(entry: Entry, deleted: Int64) {
        self.entry = entry
        self.deleted = deleted
    }

    package init(reading head: inout Head) throws(WireError) {
        deleted = try head.consumeNumber("deleted")
        entry = try Entry(reading: &head)
    }

    /// The object that represents the entry on the wire and in `--json` output.
    package var head: Head {
        var head = entry.head
        head["deleted"] = .number("\(deleted)")
        return head
    }
}

/// The decision that a read of the secret would get now.
package enum Outlook: Hashable, Sendable {
    /// The agent would release it without a prompt.
    case granted
    /// One of these sets of factors is needed. The first one is asked for.
    case asks([[String]])
    /// The agent would deny it: the rule, its message, and the remedy.
    case denied(rule: String, message: String, remedy: String)

    package init(_ decision: Decision) {
        switch decision {
        case .granted: self = .granted
        case .challenge(let ways): self = .asks(ways.map { way in way.map(\.name) })
        case .denied(let denial):
            self = .denied(
                rule: denial.rule.identifier, message: denial.rule.summary, remedy: denial.rule.remedy.rawValue)
        }
    }

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
        default: throw .malformed("this \"verdict\" is unknown")
        }
    }

    /// The object that represents the outlook on the wire and in `--json` output.
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
