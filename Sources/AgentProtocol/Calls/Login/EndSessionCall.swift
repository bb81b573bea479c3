/// Says that a login session of the user ends; nil if it has no name.
package struct EndSessionCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.endSession
    package var session: String?
    package var usesVault: Bool { false }

    package init() {}

    package init(_ session: String?) { self.session = session }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("session", &session)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
