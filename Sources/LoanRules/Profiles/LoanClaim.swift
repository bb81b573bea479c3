/// A claim of a profile about one of its services, which `latchkey lend check` proves.
package struct LoanClaim: Hashable, Sendable {
    package enum Statement: Hashable, Sendable {
        /// After this event, the secret is not used before its owner has approved a use again.
        case never(after: LoanEvent)
        /// One approval counts for at most this many uses.
        case atMostUses(Int)
        /// The secret is not used later than this many minutes after the last approval.
        case endsWithin(minutes: Int)
    }

    /// The name of the service.
    package var service: String
    package var statement: Statement
    /// True if the claim is a known weakness: it fails.
    package var expectsFailure: Bool

    package init(_ service: String, _ statement: Statement, expectsFailure: Bool = false) {
        (self.service, self.statement, self.expectsFailure) = (service, statement, expectsFailure)
    }

    /// The claim in words.
    package var words: String {
        switch statement {
        case .never(let event): "never use \(service) after \(event.rawValue)"
        case .atMostUses(let count): "at most \(count == 1 ? "1 use" : "\(count) uses") of \(service)"
        case .endsWithin(let minutes): "\(service) ends within \(minutes == 1 ? "1 minute" : "\(minutes) minutes")"
        }
    }
}

/// An event after which nothing may be used before the next approval.
package enum LoanEvent: String, Hashable, Sendable, CaseIterable {
    /// The beginning of the loan.
    case start
    /// The vault is locked.
    case lock
    /// A finger is enrolled or removed.
    case enroll
    /// The passcode is changed.
    case passcode
    /// The loan is ended by hand, or with its program or the agent.
    case end
}
