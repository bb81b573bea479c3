internal import AgentProtocol
internal import LatchkeyCLI
internal import PlainText

extension KeyEntry {
    /// The type and the place of the key, for a report on one line.
    var words: String {
        if let card { return "\(type), on the card \(Terminal.line(card))" }
        return "\(type), \(isInEnclave ? "in the enclave" : "a software key")"
    }
}
