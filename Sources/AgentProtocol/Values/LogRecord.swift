internal import PlainText

/// A record of the audit log, with the present name of the secret.
package struct LogRecord: Hashable, Sendable {
    /// The place in the log, counted from one.
    package var number: Int
    /// The time of the event, in milliseconds since 1970.
    package var time: Int64
    /// The time of its last repetition; equal to `time` if it happened once.
    package var last: Int64
    /// The decision: granted, challenged or denied. Other kinds of records have other words, such as "dropped" for
    /// older records that were deleted.
    package var verdict: String
    /// The requested operation, or the event.
    package var action: String
    /// The name of the secret; nil if the record is about none or several, or if that secret is gone or cannot be listed now.
    package var name: String?
    /// The process that asked.
    package var caller: Peer
    /// The identifiers of the rules that fired. The last one decided.
    package var rules: [String]
    /// The number of times that it happened.
    package var count: Int

    /// Creates a record. Without `last`, it happened once, at `time`.
    package init(
        number: Int, time: Int64, last: Int64? = nil, verdict: String, action: String, name: String?, caller: Peer,
        rules: [String],
        count: Int
    ) {
        self.number = number
        self.time = time
        self.last = last ?? time
        self.verdict = verdict
        self.action = action
        self.name = name
        self.caller = caller
        self.rules = rules
        self.count = count
    }

    package init(reading head: inout WireObject) throws(WireError) {
        number = Int(clamping: try head.consumeNumber("number"))
        time = try head.consumeNumber("time")
        last = try head.consumeNumberIfPresent("last") ?? time
        verdict = try head.consumeText("verdict")
        action = try head.consumeText("action")
        name = try head.consumeTextIfPresent("name")
        guard var peer = try head.consumeHeadIfPresent("caller") else { throw .malformed("\"caller\" is missing") }
        caller = try Peer(from: &peer)
        rules = try head.consumeTexts("rules")
        count = Int(clamping: try head.consumeNumber("count"))
    }

    /// The object that represents the record on the wire and in `--json` output.
    package var head: WireObject {
        var head = WireObject([
            "number": .number("\(number)"), "time": .number("\(time)"), "verdict": .string(verdict),
            "action": .string(action), "name": name.map { .string($0) } ?? .null,
            "caller": .object(caller.head.fields), "rules": .array(rules.map { .string($0) }),
            "count": .number("\(count)"),
        ])
        if last != time { head["last"] = .number("\(last)") }
        return head
    }
}
