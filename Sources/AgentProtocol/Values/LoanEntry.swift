/// A loan in a list.
package struct LoanEntry: Hashable, Sendable {
    /// The number, by which it can be ended.
    package var number = 0
    /// The name of the secret.
    package var name = ""
    package var terms = LoanTerms()
    /// The time of its beginning, in seconds since 1970.
    package var began: Int64 = 0
    /// The uses so far.
    package var count = 0
    /// The seconds that the present approval still counts for; nil if the next use asks, or if none ever does.
    package var secondsLeft: Int64?
    /// The uses that the present approval still counts for; nil for any number.
    package var usesLeft: Int?

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension LoanEntry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.text("name", &name)
        try terms.describe(to: &coder)
        try coder.number("began", &began)
        try coder.number("count", &count)
        try coder.numberIfSaid("seconds-left", &secondsLeft)
        try coder.numberIfSaid("uses-left", &usesLeft)
    }
}
