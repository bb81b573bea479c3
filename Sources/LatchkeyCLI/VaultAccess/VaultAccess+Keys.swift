package import AgentProtocol
internal import PlainText

extension VaultAccess {
    /// Returns every private key, and how many more are locked or damaged. It never prompts.
    package func keys() throws(AgentError) -> (entries: [KeyEntry], locked: Int, damaged: Int) {
        var entries: [KeyEntry] = []
        let reply = try client.ask(KeysCall(), of: nil) { entries.append($0) }.reply
        return (entries, reply.locked, reply.damaged)
    }

    /// Returns the error that suggests the name nearest to that of a missing key. It is nil if there is such a key, if no name
    /// is near, if a key is locked, or if the names cannot be listed. It never prompts.
    func keySuggestion(for name: String) -> AgentError? {
        guard let (entries, locked, _) = try? keys(), locked == 0, !entries.contains(where: { $0.name == name }),
            let other = nearest(to: name, among: entries.map(\.name))
        else { return nil }
        return AgentError(.notFound, "no key \(name): did you mean \(other)?")
    }

    /// Returns true if there is a private key with this name that can be listed now. It never prompts.
    func hasKey(_ name: String) -> Bool {
        guard let entries = try? keys().entries else { return false }
        return entries.contains { $0.name == name }
    }
}
