/// A service that is lent.
package struct DeskService: Hashable, Sendable {
    /// The name, as the profile has it.
    package var name: String
    /// A line on what it does and where it is: `HTTP requests to https://api.example.com, sent to $LENT_API`.
    package var does: String
    /// The rules of the profile: `POST /v1/messages`.
    package var rules: [String]
    /// The times when its policy asks the owner.
    package var asks: DeskAsking
    /// The present approval; nil if there is none.
    package var approval: DeskApproval?

    package init(name: String, does: String, rules: [String], asks: DeskAsking, approval: DeskApproval? = nil) {
        (self.name, self.does, self.rules, self.asks, self.approval) = (name, does, rules, asks, approval)
    }
}

/// The times when a policy asks the owner.
package enum DeskAsking: String, Sendable, CaseIterable {
    /// Never: a use needs no approval.
    case never
    /// Once for several uses.
    case eachLease = "each-lease"
    /// At each use.
    case eachUse = "each-use"
}

/// The rest of an approval.
package struct DeskApproval: Hashable, Sendable {
    /// The uses that are left; nil for any number.
    package var usesLeft: Int?
    /// The seconds that are left; nil without an end.
    package var secondsLeft: Int?

    package init(usesLeft: Int?, secondsLeft: Int?) { (self.usesLeft, self.secondsLeft) = (usesLeft, secondsLeft) }
}
