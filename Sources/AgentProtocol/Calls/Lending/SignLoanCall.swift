/// Signs one request to the server with the secret that this connection lends. The secret itself stays in the agent.
package struct SignLoanCall: AgentCall {
    package static let verb = Verb.signLoan
    /// The method of the request.
    package var method = ""
    /// The path of the request, as it is sent.
    package var path = ""
    /// The query of the request, as it is sent.
    package var query = ""
    /// The fields that are signed beside those that the agent adds, each with its name and its value.
    package var fields: [[String]] = []
    /// The program that asks, as it calls itself; nil if that is not known.
    package var program: String?
    /// A borrower that goes on calling does not keep the vault unlocked.
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    package init(method: String, path: String, query: String, fields: [[String]], program: String? = nil) {
        (self.method, self.path, self.query, self.fields) = (method, path, query, fields)
        self.program = program
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("method", &method)
        try coder.text("path", &path)
        try coder.text("query", &query)
        try coder.listsOfTexts("fields", &fields)
        try coder.textIfSaid("program", &program)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("sign with a secret that is lent", [.note("Request", "\(method) \(path)")])
    }

    /// The fields that the request is sent with. The token of a session, if the secret has one, is in the secret part.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the use, by which it can be given back.
        package var number = 0
        /// The value of the field `authorization`.
        package var authorization = ""
        /// The value of the field `x-amz-date`.
        package var date = ""

        package init() {}

        package init(number: Int, authorization: String, date: String) {
            (self.number, self.authorization, self.date) = (number, authorization, date)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
            try coder.text("authorization", &authorization)
            try coder.text("date", &date)
        }
    }
}
