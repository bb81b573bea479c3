/// A rule of one of the catalogs.
///
/// A catalog is an enumeration of rules. A new one conforms to this protocol and gets a case in ``AnyRule``, and the
/// compiler then names every list of rules that has to include it. A test finds a catalog without one.
public protocol CatalogRule: CaseIterable, Hashable, Sendable {
    /// The facts about this rule: its effect, its text, its evidence and its remedy.
    var facts: RuleFacts { get }
}

extension CatalogRule {
    /// The identifier, such as `biometry.current-set.changed` or `file.locked`. It never changes.
    public var identifier: String { facts.identifier }
    /// One line that says what the rule means.
    public var summary: String { facts.summary }
    /// The step that would overcome a denial by this rule.
    public var remedy: Remedy { facts.remedy }

    /// Creates the rule with this identifier; nil if there is none.
    public init?(identifier: String) {
        guard let rule = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = rule
    }
}

extension Rule: CatalogRule {}
