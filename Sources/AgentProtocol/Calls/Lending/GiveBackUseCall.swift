/// Gives back a use of which no byte was sent, so that the lease has it again.
package struct GiveBackUseCall: LookingCall {
    package static let verb = Verb.giveBackUse
    /// The number of the use.
    package var number = 0

    package init() {}

    package init(_ number: Int) { self.number = number }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
    }
}
