/// A value of an assumption, in words for a reader who knows neither files nor options.
public struct AssumptionMeaning: Hashable, Sendable {
    /// A clause to put after "if", such as "the app cannot delete it".
    public let condition: String
    /// The value in one sentence.
    public let statement: String

    /// Creates a meaning.
    public init(condition: String, statement: String) {
        self.condition = condition
        self.statement = statement
    }
}

extension Assumption {
    /// Returns the meaning of the value that the assumption has in `assumptions`.
    public func meaning(in assumptions: Assumptions) -> AssumptionMeaning {
        switch self {
        case .deletes:
            assumptions.deletes
                ? AssumptionMeaning(
                    condition: "the app can delete it",
                    statement: "The app offers a way to delete what it stores, which asks for no authentication.")
                : AssumptionMeaning(
                    condition: "the app cannot delete it",
                    statement: "The app offers no way to delete what it stores.")
        case .contexts:
            switch assumptions.contexts {
            case .fresh:
                AssumptionMeaning(
                    condition: "each request has a fresh context",
                    statement: "The app makes each request in a fresh context, which holds no authentication.")
            case .kept:
                AssumptionMeaning(
                    condition: "the app keeps a context",
                    statement: "The app asks in a context in which the owner authenticated before the attacker came.")
            }
        case .holds:
            switch assumptions.held {
            case .longLocked:
                AssumptionMeaning(
                    condition: "it was locked long ago",
                    statement: "A device that comes locked was locked long ago, so its lock grace is over.")
            case .justLocked:
                AssumptionMeaning(
                    condition: "it was locked just now",
                    statement: "A device that comes locked was locked just now, so its lock grace still runs.")
            }
        }
    }

    /// Returns the meaning of `word`, one of ``words``.
    public func meaning(of word: String) -> AssumptionMeaning {
        var stated = Assumptions.Stated()
        _ = state(word, in: &stated)
        return meaning(in: Assumptions(stated))
    }
}
