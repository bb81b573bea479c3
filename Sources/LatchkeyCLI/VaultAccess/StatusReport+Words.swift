internal import AgentProtocol

extension StatusReport {
    /// The way in which the log is kept, in one line; nil if the agent did not say. Settings that are not checked say nothing about
    /// when a record is written.
    package var logWords: String? {
        guard let size = log[.logSize]?.number, let isDurable = log[.durableLog]?.flag else { return nil }
        let words = "up to \(TypedSize.words(size))"
        if areSettingsUnchecked && !isDurable { return words }
        return "\(words), written \(isDurable ? "before each answer" : "within a second")"
    }
}
