/// One request of a program of the desktop, and why the user was asked or not.
package struct SecretRequest: Hashable, Sendable {
    /// The reason why a program got an item or did not.
    package enum Outcome: String, CaseIterable, Sendable {
        /// The policy of the secret needs no authentication.
        case open = "open"
        /// The user had authenticated for this connection and this item some seconds before.
        case granted = "granted"
        /// The user had authenticated for the rule, which says once per session.
        case session = "session"
        /// The user was asked, and authenticated.
        case asked = "asked"
        /// The user was asked, and dismissed the prompt or failed, or the call ended first.
        case dismissed = "dismissed"
        /// There was no place to ask, or a rule of the vault denied it.
        case denied = "denied"
        /// The item was stored or changed.
        case stored = "stored"
        case deleted = "deleted"
    }

    /// The time, in seconds since 1970.
    package var time = 0
    /// The program, as the audit log names it.
    package var program = ""
    /// The name of the secret, or of the folder.
    package var name = ""
    /// The reason.
    package var outcome = Outcome.open
    /// The line of the rule that holds for the item; nil if none does.
    package var rule: String?
    /// More about it, such as the error.
    package var detail: String?

    /// Creates an empty one, to be read.
    package init() {}
}

extension SecretRequest: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("time", &time)
        try coder.text("program", &program)
        try coder.text("name", &name)
        try coder.word("outcome", &outcome)
        try coder.textIfSaid("rule", &rule)
        try coder.textIfSaid("detail", &detail)
    }
}
