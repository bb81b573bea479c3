internal import PlainText

/// A line of the audit log, with the secret as it is called now.
package struct LogRecord: Hashable, Sendable {
    /// Its place in the log, counted from one.
    package var number: Int
    /// When, in milliseconds since 1970.
    package var time: Int64
    /// When it happened for the last time, where it happened more than once.
    package var last: Int64
    /// The decision: granted, challenged or denied; or another kind of record, such as "dropped" for older records that are gone.
    package var verdict: String
    /// What was asked, or what happened.
    package var action: String
    /// The secret; nil where it was about none, or one that is not there or may not be listed now.
    package var name: String?
    /// Who asked.
    package var caller: Peer
    /// The rules that fired, the one that settled it last.
    package var rules: [String]
    /// How often it happened.
    package var count: Int

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

    /// What `head` says.
    package init(reading head: inout Head) throws(WireError) {
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

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        var head = Head([
            "number": .number("\(number)"), "time": .number("\(time)"), "verdict": .string(verdict),
            "action": .string(action), "name": name.map { .string($0) } ?? .null,
            "caller": .object(caller.head.fields), "rules": .array(rules.map { .string($0) }),
            "count": .number("\(count)"),
        ])
        if last != time { head["last"] = .number("\(last)") }
        return head
    }
}
