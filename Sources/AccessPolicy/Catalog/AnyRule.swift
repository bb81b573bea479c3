/// A rule of any catalog.
public enum AnyRule: Hashable, Sendable {
    /// A rule about items, access controls and evaluations.
    case item(Rule)
    /// A rule about files.
    case file(FileRule)
    /// A rule about the syncing of an account.
    case sync(SyncRule)

    /// A catalog of rules.
    private enum Catalog: CaseIterable {
        case items, files, syncing

        var rules: [AnyRule] {
            switch self {
            case .items: Rule.allCases.map { .item($0) }
            case .files: FileRule.allCases.map { .file($0) }
            case .syncing: SyncRule.allCases.map { .sync($0) }
            }
        }
    }

    /// The rules of all catalogs, in the order of the reference.
    public static let all: [AnyRule] = Catalog.allCases.flatMap { $0.rules }

    /// The facts about the rule.
    public var facts: RuleFacts {
        switch self {
        case .item(let rule): rule.facts
        case .file(let rule): rule.facts
        case .sync(let rule): rule.facts
        }
    }

    /// The identifier of the rule.
    public var identifier: String { facts.identifier }
    /// One line that says what the rule means.
    public var summary: String { facts.summary }
}
