/// Returns the secret that this connection lends, for one request to its server.
package struct UseLoanCall: AgentCall {
    package static let verb = Verb.useLoan
    /// The method of the request.
    package var method = ""
    /// The path of the request, without a query.
    package var path = ""
    /// A borrower that goes on calling does not keep the vault unlocked.
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    package init(method: String, path: String) { (self.method, self.path) = (method, path) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("method", &method)
        try coder.text("path", &path)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("use a secret that is lent")
    }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the use, by which it can be given back.
        package var number = 0

        package init() {}

        package init(number: Int) { self.number = number }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
        }
    }
}
