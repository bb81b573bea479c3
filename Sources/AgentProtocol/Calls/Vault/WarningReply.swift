/// The reply to a request for which the user chose a passcode or a passphrase.
package struct WarningReply: CallReply, WireValue, Hashable {
    /// A warning if it is easy to guess.
    package var warning: String?

    package init() {}

    package init(warning: String?) { self.warning = warning }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("warning", &warning)
    }
}
