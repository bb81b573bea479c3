/// Returns the audit records after a number; only the latest ones if `latest` limits them.
package struct LogCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.log
    package var after = 0
    package var latest: Int?
    package var usesVault: Bool { false }

    package init() {}

    package init(after: Int, latest: Int?) { (self.after, self.latest) = (after, latest) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        var place: Int? = after
        try coder.numberIfSaid("after", &place)
        after = place ?? 0
        try coder.numberIfSaid("latest", &latest)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
