/// Shows the prompts of a waiting request at the terminal of the client, until that request is over.
package struct ApproveCall: LookingCall {
    package static let verb = Verb.approve
    package var number = 0

    package init() {}

    package init(_ number: Int) { self.number = number }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
    }
}
