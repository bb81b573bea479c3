/// The terms of a loan, as its lender starts it.
package struct LoanTerms: WireValue, Hashable, Sendable {
    /// The name of the profile.
    package var borrower = ""
    /// The command line of the borrower; empty if the lender does not start it.
    package var command = ""
    /// The place of the borrower, such as `without a sandbox`; nil in a sandbox of its own.
    package var place: String?
    /// The purpose that the secret is lent for: a server, as `https://api.example.com`, or a word such as `codes`.
    package var target = ""
    /// The number of uses that one approval counts for; nil for any number.
    package var uses: Int?
    /// The minutes that one approval counts for.
    package var minutes = 30
    /// The service and region of the signatures that the loan gives out, such as `s3 eu-central-1`; nil if it gives out the secret.
    package var signs: String?
    /// The form in which the loan gives out the secret itself, such as `aws`; nil for every other purpose.
    package var form: String?
    /// The policy that the secret must have, at the beginning and at each use; nil for any.
    package var policy: ItemPolicy?

    package init() {}

    package init(
        borrower: String, command: String, place: String? = nil, target: String, uses: Int?, minutes: Int,
        signs: String? = nil, form: String? = nil, policy: ItemPolicy? = nil
    ) {
        (self.borrower, self.command, self.place, self.target) = (borrower, command, place, target)
        (self.uses, self.minutes, self.signs, self.form) = (uses, minutes, signs, form)
        self.policy = policy
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("borrower", &borrower)
        try coder.text("command", &command)
        try coder.textIfSaid("place", &place)
        try coder.text("target", &target)
        try coder.numberIfSaid("uses", &uses)
        try coder.number("minutes", &minutes)
        try coder.textIfSaid("signs", &signs)
        try coder.textIfSaid("form", &form)
        try coder.policyIfSaid("policy", &policy)
    }
}
