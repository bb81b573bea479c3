package import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import Prompts
internal import SecretTools

extension VaultAccess {
    /// The number of secrets that a list leaves out.
    struct LeftOut {
        var locked = 0
        var damaged = 0
    }

    /// Passes every secret to `body` as it arrives, sorted by name, with its comment only if `withComments` is true.
    /// Returns how many more are locked or damaged. If some are locked and there is a user, the user unlocks the vault first, for this
    /// reason.
    func eachEntry(
        withComments: Bool = false, mayUnlock: Bool = true, because reason: String = "list the secrets",
        _ body: (Entry) -> Void
    ) throws(AgentError) -> LeftOut {
        do throws(AgentError) {
            let list = try client.list(
                isBrief: !withComments, because: reason, of: user, unlocks: mayUnlock, body)
            return LeftOut(locked: list.reply.locked, damaged: list.reply.damaged)
        } catch { throw withRefusal(error).inCommandWords() }
    }

    /// Returns every secret, with its comment only if `withComments` is true, and how many more are locked or damaged.
    package func entries(
        withComments: Bool = false, mayUnlock: Bool = true, because reason: String = "list the secrets"
    ) throws(AgentError) -> (entries: [Entry], locked: Int, damaged: Int) {
        var entries: [Entry] = []
        let left = try eachEntry(withComments: withComments, mayUnlock: mayUnlock, because: reason) {
            entries.append($0)
        }
        return (entries, left.locked, left.damaged)
    }

    /// Returns the deleted secrets that can be brought back, and how many more are locked. If some are and there is a user, the
    /// user unlocks the vault first.
    func deleted(because reason: String) throws(AgentError) -> (entries: [DeletedEntry], locked: Int) {
        try listDeleted(because: reason, of: user)
    }

    /// Returns the deleted secrets that can be named now, and how many more are locked. Without a user, it never prompts.
    func listDeleted(
        because reason: String, of user: (any DeviceUser)? = nil
    ) throws(AgentError) -> (entries: [DeletedEntry], locked: Int) {
        var entries: [DeletedEntry] = []
        do throws(AgentError) {
            let list = try client.ask(DeletedCall(), because: reason, of: user, unlocks: true) { entries.append($0) }
            return (entries, list.reply.locked)
        } catch { throw error.inCommandWords() }
    }

    /// Returns the names of the deleted secrets that can be named now. It never prompts.
    func deletedNames() -> [String] {
        return (try? listDeleted(because: "bring back a secret"))?.entries.map(\.entry.name) ?? []
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
        guard let names = knownNames() else { return nil }
        if NameFilter.isFolder(name, among: names) {
            return AgentError(.notFound, "no secret \(name), but a folder: run `latchkey list \(Shell.word(name))`")
        }
        let fuzzy = FuzzyMatch.best(50, for: name, among: names)
        guard let other = nearest(to: name, among: names) ?? (fuzzy.count == 1 ? fuzzy[0] : nil) else { return nil }
        return AgentError(.notFound, "no secret \(name): did you mean \(other)?")
    }

    /// Returns the name that the user means by `word`. If there is no such secret and several names are like it, the user
    /// chooses one at the terminal. Otherwise this is `word`, and the request that follows reports what is wrong.
    ///
    /// - Throws: `AgentError` if the user chooses none.
    package func chosen(_ word: String) throws(AgentError) -> String {
        guard user != nil, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, isMissing(word), !hasKey(word),
            let names = knownNames()
        else { return word }
        // Other programs may use names that no command takes.
        let alike = FuzzyMatch.best(.max, for: word, among: names.filter { (try? SecretName($0)) != nil })
        return alike.count > 1 ? try NameChoice.ask(word, among: alike) : word
    }

    /// Returns true if there is certainly no secret with this name. It never prompts.
    func isMissing(_ name: String) -> Bool {
        do throws(AgentError) {
            _ = try client.ask(ShowCall(name), of: nil)
            return false
        } catch { return error.kind == .notFound }
    }

    /// Returns the names of all secrets; nil if the vault is locked or the names cannot be listed. It never prompts.
    func knownNames() -> [String]? {
        var quiet = self
        quiet.user = nil
        guard let (entries, locked, _) = try? quiet.entries(mayUnlock: false), locked == 0 else { return nil }
        return entries.map(\.name)
    }

    /// Returns the description of a secret, and the decision that reading it would get now.
    package func entry(
        of name: String, because reason: String? = nil
    ) throws(AgentError) -> (item: Entry, outlook: Outlook) {
        let answer = try ask(ShowCall(name), because: reason ?? "look at \(name)")
        return (answer.reply.item, answer.reply.outlook)
    }
}
