package import AgentProtocol
internal import CommandLineKit
internal import PlainText
internal import SecretTools

/// A name on the command line that means a secret, or a folder of secrets.
struct NamedSource {
    /// The name, without a slash at its end.
    let name: String
    let isFolder: Bool

    /// Returns the new name that `word` stands for. With a slash at its end, that is a folder to go into.
    func destination(_ word: String) -> String {
        guard word.utf8.count > 1, word.utf8.last == UInt8(ascii: "/") else { return word }
        return word + ((try? SecretName(name))?.parts.last.map(String.init) ?? name)
    }
}

extension String {
    /// Returns the name of a folder as users type it, without slashes at its end.
    package static func folder(_ word: String) -> String {
        // Bytes, because a slash and what joins it can be one character.
        var word = word.utf8[...]
        while word.count > 1, word.last == UInt8(ascii: "/") { word.removeLast() }
        return String(Substring(word))
    }
}

extension AgentError {
    /// The error if a new name is in use.
    static func taken(_ name: String) -> AgentError {
        AgentError(.exists, "there is a secret \(name) already: remove it with `latchkey rm`, or choose another name")
    }

    /// The error if a command for one secret is given a folder.
    package static func folder(_ name: String, _ verb: String) -> AgentError {
        AgentError(.notFound, "\(name) is a folder: add -r to \(verb) every secret in it")
    }
}

extension VaultAccess {
    /// Returns what a word names: with a slash at its end a folder, otherwise a secret, or a folder if there is no such
    /// secret. On a terminal, the user can choose if the word is part of several names.
    ///
    /// If `prefersFolder` is true, a word that names both is a folder.
    ///
    /// - Throws: `AgentError` if there is no such secret, and some names are locked or damaged.
    func source(_ word: String, prefersFolder: Bool = false) throws(AgentError) -> NamedSource {
        let folder = String.folder(word)
        if folder != word { return NamedSource(name: folder, isFolder: true) }
        if prefersFolder, try folderCounts(of: [word])[word] != nil { return NamedSource(name: word, isFolder: true) }
        if try has(word, because: "look for \(word)") { return NamedSource(name: word, isFolder: false) }
        if try folderCounts(of: [word])[word] != nil { return NamedSource(name: word, isFolder: true) }
        return NamedSource(name: try chosen(word), isFolder: false)
    }

    /// Renames or copies a secret or a folder in one step, and returns the number of secrets.
    func relocate(_ name: String, to other: String, isFolder: Bool, copies: Bool) throws(AgentError) -> Int {
        do { _ = try SecretName(other) } catch { throw AgentError(.request, "\(error)") }
        let reason = "\(copies ? "copy" : "rename") \(isFolder ? "the folder " : "")\(name)"
        let access = isFolder ? withoutSuggestions : self
        let answer = try access.ask(
            MoveCall(name, to: other, isFolder: isFolder, copies: copies), because: reason)
        return answer.reply.count
    }

    /// Returns the folders among `words`, each with the number of secrets in it. A user unlocks the vault if it is locked.
    ///
    /// - Throws: `AgentError` if some names are locked or damaged.
    func folderCounts(of words: [String]) throws(AgentError) -> [String: Int] {
        let (entries, locked, damaged) = try entries()
        if locked > 0 { throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal") }
        if damaged > 0 {
            throw AgentError(
                .damaged,
                "\(counted(damaged, "secret")) damaged, and may be in the folder: run `latchkey verify` first")
        }
        var counts: [String: Int] = [:]
        for word in words {
            let folder = String.folder(word)
            let count = entries.count { $0.name.utf8.starts(with: (folder + "/").utf8) }
            if count > 0 { counts[folder] = count }
        }
        return counts
    }
}
