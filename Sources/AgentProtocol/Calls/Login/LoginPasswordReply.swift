/// The reply to a request that brings the password of a login. It does not say if that is right.
package struct LoginPasswordReply: CallReply, WireValue, Hashable {
    /// True if the agent checks the password; false if the vault does not need it, or does not follow the login password.
    package var isTaken = false

    package init() {}

    package init(isTaken: Bool) { self.isTaken = isTaken }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.flag("taken", &isTaken)
    }
}
