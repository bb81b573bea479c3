internal import AccessPolicy
internal import DeviceModel
internal import PlainText

/// The reason why a request failed: a kind for programs, and a message for people.
package struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The command has an exit status for each.
    package enum Kind: String, CaseIterable, Sendable {
        /// The policy denied it. Asking again does not help by itself.
        case denied
        /// There is no secret of this name.
        case notFound = "not-found"
        /// The vault is locked.
        case locked
        /// The user dismissed a prompt or did not answer it.
        case dismissed
        /// Authentication failed: the answer was wrong.
        case wrong
        /// Authentication is needed, and there is no user to ask, or no prompt is allowed.
        case noTerminal = "nobody-there"
        /// The name is taken.
        case exists
        /// PAM or the sensor cannot be used.
        case unavailable
        /// Stored data is damaged.
        case damaged
        /// The request is not valid, or this vault cannot fulfill it.
        case request
        /// The vault cannot be used now: it is busy or unreadable, or there is no room.
        case vault
        /// The agent cannot be used: it serves too many clients, or speaks another version.
        case agent
    }

    package var kind: Kind
    /// A message that says what is wrong and what to do.
    package var message: String
    /// The rule that denied the request, if one did.
    package var rule: String?
    /// The status of Apple's keychain calls for this failure, if there is one.
    package var status: Int32?

    package init(_ kind: Kind, _ message: String, rule: String? = nil, status: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.rule = rule
        self.status = status
    }

    /// The error if the agent that runs is of another version of Latchkey.
    package static let ofOtherVersion = AgentError(
        .agent, "another version of Latchkey started the agent that runs: run `latchkey agent stop`, then try again")

    package var description: String { message }
}

extension AgentError {
    package init(_ fault: WireError) { self.init(.agent, "\(fault)") }

    /// Returns the error for a passcode while none is accepted, for this many more seconds.
    package static func passcodeDelayed(_ seconds: Int, status: Int32? = nil) -> AgentError {
        AgentError(
            .wrong,
            "no passcode is accepted for another \(counted(seconds: max(1, seconds))), because too many were wrong: wait, or "
                + "set a new one with `latchkey recover` and the recovery key", rule: Rule.passcodeDelayed.identifier,
            status: status)
    }

    /// Returns the error for something new that the user typed twice, never the same. `result` says what follows.
    package static func mismatch(_ result: String) -> AgentError {
        AgentError(.dismissed, "the two did not match three times, and \(result): run the command again")
    }

    /// Reads an error from the wire. A kind that this version does not know counts as `agent`.
    package init(from head: inout WireObject) throws(WireError) {
        let word = try head.consumeText("kind")
        kind = Kind(rawValue: word) ?? .agent
        message = try head.consumeText("message")
        rule = try head.consumeTextIfPresent("rule")
        status = try head.consumeNumberIfPresent("status").map { Int32(clamping: $0) }
    }

    /// The object that represents the error on the wire.
    package var head: WireObject {
        var head = WireObject(["kind": .string(kind.rawValue), "message": .string(message)])
        if let rule { head["rule"] = .string(rule) }
        if let status { head["status"] = .number("\(status)") }
        return head
    }
}
