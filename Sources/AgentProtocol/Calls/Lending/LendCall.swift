internal import PlainText

/// Begins to lend a secret to a program in a sandbox, on this connection, which the loan ends with.
package struct LendCall: AgentCall {
    package static let verb = Verb.lend
    /// The name of the secret.
    package var name = ""
    package var terms = LoanTerms()
    /// The mark of the loan that this one goes on with after a lock; nil if it is the first of its program. A loan that was ended by
    /// hand does not go on, and none does after the agent has ended.
    package var former: String?
    package var usesVault: Bool { false }

    package init() {}

    package init(_ name: String, _ terms: LoanTerms) { (self.name, self.terms) = (name, terms) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try terms.describe(to: &coder)
        try coder.textIfSaid("former", &former)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("lend a secret") }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the loan.
        package var number = 0
        /// The text by which another connection goes on with it.
        package var mark = ""
        /// The times when the policy of the secret asks.
        package var asks = LoanAsking.never
        /// The public half of a key that logins are lent with, as SSH has it, in Base64; empty for any other loan.
        package var key = ""

        package init() {}

        package init(number: Int, mark: String, asks: LoanAsking, key: String = "") {
            (self.number, self.mark, self.asks, self.key) = (number, mark, asks, key)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
            try coder.text("mark", &mark)
            try coder.word("asks", &asks)
            try coder.textIfAny("key", &key)
        }
    }
}

/// The times when a loan asks its lender.
package enum LoanAsking: String, CaseIterable, Sendable {
    /// Never: the policy of the secret needs no authentication.
    case never
    /// Once for each lease.
    case eachLease = "each-lease"
    /// At each use, because the policy of the secret asks each time.
    case eachUse = "each-use"
}
