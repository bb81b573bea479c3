/// Returns the audit records after a number; only the latest ones if `latest` limits them.
package struct LogCall: LookingCall {
    package typealias Part = LogRecord
    package static let verb = Verb.log
    package static let parts = "records"
    package var after = 0
    package var latest: Int?

    package init() {}

    package init(after: Int, latest: Int?) { (self.after, self.latest) = (after, latest) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        var place: Int? = after
        try coder.numberIfSaid("after", &place)
        after = place ?? 0
        try coder.numberIfSaid("latest", &latest)
    }

    /// The end of the records, which came in parts before it.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the last record.
        package var last = 0
        /// The number of the first damaged record; nil if none was found damaged.
        package var damagedFrom: Int?

        package init() {}

        package init(last: Int, damagedFrom: Int?) { (self.last, self.damagedFrom) = (last, damagedFrom) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("last", &last)
            try coder.numberIfSaid("damaged-from", &damagedFrom)
        }
    }
}
