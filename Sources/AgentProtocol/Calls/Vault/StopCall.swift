/// Wipes the keys and ends the agent.
package struct StopCall: LookingCall {
    package static let verb = Verb.stop
    package var endsAgent: Bool { true }

    package init() {}

    /// The records that the audit log lacks, if there are any.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The lost records; nil if there are none.
        package var lost: LostRecords?

        package init() {}

        package init(lost: LostRecords?) { self.lost = lost }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            var count = lost?.count
            try coder.numberIfSaid("lost-records", &count)
            lost = count.map { LostRecords(count: $0) }
        }
    }
}
