extension RuleFacts {
    /// The evidence for the rule and its section, such as `CODE 4.6`; `model` for a choice of this project.
    package var source: String { section.map { "\(grounds.rawValue) \($0)" } ?? grounds.rawValue }
}
