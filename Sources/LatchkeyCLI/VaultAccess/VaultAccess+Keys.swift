internal import LatchkeyAgent

extension VaultAccess {
    /// Returns every private key, and how many more are locked or damaged. It never prompts.
    func keys() throws(AgentError) -> (entries: [KeyEntry], locked: Int, damaged: Int) {
        var entries: [KeyEntry] = []
        var head = try client.ask(.keys, of: nil) { part throws(WireError) in
            for value in try part.consumeList("items") {
                guard var head = Head(value) else { throw .malformed("\"items\" is a list of objects") }
                entries.append(try KeyEntry(reading: &head))
            }
        }.head
        do throws(WireError) {
            return (
                entries, Int(clamping: try head.consumeNumber("locked")),
                Int(clamping: try head.consumeNumber("damaged"))
            )
        } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Returns true if there is a private key with this name that can be listed now. It never prompts.
    func hasKey(_ name: String) -> Bool {
        guard client.knowsKeys, let entries = try? keys().entries else { return false }
        return entries.contains { $0.name == name }
    }
}
