/// Ends a loan, or all of them, and what is under way in them.
package struct EndLoansCall: LookingCall {
    package static let verb = Verb.endLoans
    /// The number of the loan; nil for all.
    package var number: Int?

    package init() {}

    package init(_ number: Int?) { self.number = number }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.numberIfSaid("number", &number)
    }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of loans that ended.
        package var count = 0

        package init() {}

        package init(count: Int) { self.count = count }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
        }
    }
}
