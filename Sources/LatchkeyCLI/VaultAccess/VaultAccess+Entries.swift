internal import LatchkeyAgent
internal import PlainText

extension VaultAccess {
    /// Returns every secret, with its comment only if `withComments` is true, and how many more are locked or damaged.
    func entries(
        withComments: Bool = false, mayUnlock: Bool = true
    ) throws(AgentError) -> (entries: [Entry], locked: Int, damaged: Int) {
        var entries: [Entry] = []
        do {
            var head = try ask(.list(isBrief: !withComments && client.knowsBriefLists)) { part throws(WireError) in
                for value in try part.consumeList("items") {
                    guard var head = Head(value) else { throw .malformed("\"items\" is a list of objects") }
                    entries.append(try Entry(reading: &head))
                }
            }.head
            let locked = Int(clamping: try head.consumeNumber("locked"))
            if locked > 0 && mayUnlock && user != nil {
                _ = try client.ask(.unlock(bySensor: false), because: "list the secrets", of: user)
                return try self.entries(withComments: withComments, mayUnlock: false)
            }
            return (entries, locked, Int(clamping: try head.consumeNumber("damaged")))
        } catch {
            if let fault = error as? AgentError { throw fault }
            throw AgentError(.agent, "\(error)")
        }
    }

    /// Returns true if there is a secret with this name.
    func has(_ name: String, because reason: String) throws(AgentError) -> Bool {
        do throws(AgentError) {
            _ = try withoutSuggestions.entry(of: name, because: reason)
            return true
        } catch {
            guard error.kind == .notFound else { throw error }
            return false
        }
    }

    /// Returns the error that suggests the name nearest to a missing one, or the key of this name. It is nil if no name is
    /// near, if the vault is locked, or if the names cannot be listed. It never prompts.
    func suggestion(for name: String) -> AgentError? {
        if hasKey(name) {
            return AgentError(.notFound, "no secret \(name), but a key: see `latchkey key --help`")
        }
        var quiet = self
        quiet.user = nil
        guard let (entries, locked, _) = try? quiet.entries(mayUnlock: false), locked == 0,
            let other = nearest(to: name, among: entries.map(\.name))
        else { return nil }
        return AgentError(.notFound, "no secret \(name): did you mean \(other)?")
    }

    /// Returns the description of a secret, and the decision that reading it would get now.
    func entry(
        of name: String, because reason: String? = nil
    ) throws(AgentError) -> (item: Entry, outlook: Outlook) {
        var head = try ask(.show(name), because: reason ?? "look at \(name)").head
        do throws(WireError) {
            guard var item = try head.consumeHeadIfPresent("item"),
                var outlook = try head.consumeHeadIfPresent("outlook")
            else {
                throw .malformed("\"item\" is missing")
            }
            return (try Entry(reading: &item), try Outlook(reading: &outlook))
        } catch { throw AgentError(.agent, "\(error)") }
    }
}
