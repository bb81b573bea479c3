/// The source of a fact about Apple's system: the kind of evidence, and the section in `docs/apple-semantics.md`.
package struct FactSource: Hashable, Sendable {
    /// The kind of evidence.
    package let grounds: RuleFacts.Grounds
    /// The section; nil for a choice of this project.
    package let section: String?

    /// A choice of this project, which Apple's sources do not settle.
    package static let choice = FactSource(.model, nil)

    /// Creates the source of a fact.
    package init(_ grounds: RuleFacts.Grounds, _ section: String?) {
        self.grounds = grounds
        self.section = section
    }

    /// The source as people read it, such as `semantics 13.4, TEST`.
    package var words: String { section.map { "semantics \($0), \(grounds.rawValue)" } ?? "a choice of Latchkey" }
}

extension RuleFacts {
    /// The evidence for the rule and its section, such as `CODE 4.6`; `model` for a choice of this project.
    package var source: String { section.map { "\(grounds.rawValue) \($0)" } ?? grounds.rawValue }

    /// The evidence for the rule and its section.
    package var factSource: FactSource { FactSource(grounds, section) }
}
