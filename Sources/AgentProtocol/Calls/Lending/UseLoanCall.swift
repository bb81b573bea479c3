internal import PlainText

/// Returns what this connection lends: the secret for one request to its server, a one-time code of it, or the secret itself in the form
/// of the loan.
package struct UseLoanCall: AgentCall {
    package static let verb = Verb.useLoan
    /// The method of the request.
    package var method = ""
    /// The path of the request, without a query.
    package var path = ""
    /// The refs that a push changes. Then the method is `push`, and the path is that of the repository; that of `fetch` is too.
    package var refs: [String] = []
    /// The number of a use that this one belongs to, so that it is none of its own within a minute; nil for a use of its own.
    package var former: Int?
    /// True to have the owner approve uses before they are made. Nothing is used, and the secret stays where it is.
    package var isAhead = false
    /// The reason that the borrower gives, which nothing checks.
    package var claim: String?
    /// The program that asks, as it calls itself; nil if that is not known.
    package var program: String?
    /// A borrower that goes on calling does not keep the vault unlocked.
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    /// Asks for an approval of uses like this one before they are made.
    package init(ahead method: String, path: String, claim: String?) {
        (self.method, self.path, self.claim) = (method, path, claim)
        isAhead = true
    }

    package init(
        method: String, path: String, refs: [String] = [], former: Int? = nil, program: String? = nil
    ) {
        (self.method, self.path, self.refs, self.former) = (method, path, refs, former)
        self.program = program
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("method", &method)
        try coder.text("path", &path)
        try coder.textsIfAny("refs", &refs)
        try coder.numberIfSaid("former", &former)
        try coder.flagIfTrue("ahead", &isAhead)
        try coder.textIfSaid("claim", &claim)
        try coder.textIfSaid("program", &program)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("use a secret that is lent")
    }

    /// The use as the log has it, at a server: `POST https://api.example.com/v1`, or `push https://example.com/site.git agent/fix`.
    package func target(at server: String) -> String {
        let place = "\(server)\(path)"
        let words =
            [method.isEmpty ? place : "\(Self.name(method)) \(place)"]
            + (refs.isEmpty ? [] : [refs.joined(separator: ", ")])
        return (words + (isAhead ? ["(approved ahead)"] : [])).joined(separator: " ")
    }

    /// The use as a prompt has it, at a host.
    package func words(at host: String) -> String {
        let path = Terminal.line(path, longest: 60)
        return switch method {
        case "fetch": "fetch from \(host)\(path)"
        case "push": "push \(Terminal.line(refs.joined(separator: ", "), longest: 80)) to \(host)\(path)"
        case "": "send requests to \(host)"
        default: "send \(Self.name(method)) \(Terminal.line(self.path, longest: 40)) to \(host)"
        }
    }

    /// A method as it is if it can only be one. A borrower may have chosen it, so it is no sentence in a prompt.
    private static func name(_ method: String) -> String { Terminal.name(method, longest: 20) }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the use, by which it can be given back. It is that of the former use if this one belongs to that.
        package var number = 0
        /// The seconds for which a one-time code stays valid; nil if there is none.
        package var secondsLeft: Int?

        package init() {}

        package init(number: Int, secondsLeft: Int? = nil) { (self.number, self.secondsLeft) = (number, secondsLeft) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
            try coder.numberIfSaid("seconds-left", &secondsLeft)
        }
    }
}
