package import AccessPolicy
internal import PlainText

/// A secret in a list: everything but its content.
package struct Entry: Hashable, Sendable {
    /// The name, a path such as work/token.
    package var name = ""
    package var policy = ItemPolicy.usual
    package var comment = ""
    /// The time when it was stored, in seconds since 1970.
    package var created: Int64 = 0
    /// The time when it was last changed, in seconds since 1970.
    package var modified: Int64 = 0

    package init() {}

    package init(name: String, policy: ItemPolicy, comment: String, created: Int64, modified: Int64) {
        self.name = name
        self.policy = policy
        self.comment = comment
        self.created = created
        self.modified = modified
    }

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }

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
}

extension Entry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.policy("policy", &policy)
        try coder.text("comment", &comment)
        try coder.number("created", &created)
        try coder.number("modified", &modified)
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

    package init(reading head: inout WireObject) throws(WireError) {
        self.init(entry: Entry(), deleted: 0)
        try read(from: &head)
    }
}

extension DeletedEntry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("deleted", &deleted)
        try entry.describe(to: &coder)
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

    package init(reading head: inout WireObject) throws(WireError) {
        self = .granted
        try read(from: &head)
    }
}

extension Outlook: WireValue {
    /// The word for a decision.
    private enum Verdict: String, CaseIterable {
        case granted = "granted"
        case asks = "asks"
        case denied = "denied"
    }

    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        var (verdict, ways): (Verdict, [[String]]) = (.granted, [])
        var (rule, message, remedy) = ("", "", "")
        switch self {
        case .granted: break
        case .asks(let sets): (verdict, ways) = (.asks, sets)
        case .denied(let identifier, let summary, let advice):
            (verdict, rule, message, remedy) = (.denied, identifier, summary, advice)
        }
        try coder.word("verdict", &verdict)
        switch verdict {
        case .granted: self = .granted
        case .asks:
            try coder.listsOfTexts("ways", &ways)
            self = .asks(ways)
        case .denied:
            try coder.text("rule", &rule)
            try coder.text("message", &message)
            try coder.text("remedy", &remedy)
            self = .denied(rule: rule, message: message, remedy: remedy)
        }
    }
}
