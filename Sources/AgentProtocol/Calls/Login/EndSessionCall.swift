/// Says that a login session of the user ends; nil if it has no name.
package struct EndSessionCall: LookingCall {
    package static let verb = Verb.endSession
    package var session: String?

    package init() {}

    package init(_ session: String?) { self.session = session }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("session", &session)
    }

    /// The effect of the end of the session.
    package struct Reply: CallReply, WireValue, Hashable {
        /// True if the vault was locked for it.
        package var isLocked = false

        package init() {}

        package init(isLocked: Bool) { self.isLocked = isLocked }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.flag("locked", &isLocked)
        }
    }
}
