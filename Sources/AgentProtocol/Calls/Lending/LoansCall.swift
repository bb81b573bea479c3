/// Lists what is lent now.
package struct LoansCall: LookingCall {
    package typealias Part = LoanEntry
    package static let verb = Verb.loans
    package static var parts: String { "loans" }

    package init() {}

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of loans.
        package var count = 0

        package init() {}

        package init(count: Int) { self.count = count }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
        }
    }
}
