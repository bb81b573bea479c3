extension RuleFacts {
    /// How well the rule is known and from where, such as `CODE 4.6`; `model` where it is a choice of ours.
    package var source: String { section.map { "\(grounds.rawValue) \($0)" } ?? grounds.rawValue }
}
