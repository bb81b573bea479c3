internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools

/// `latchkey mv`
enum MoveCommand {
    static let declaration = Declaration(
        name: "mv", summary: "rename a secret or a folder",
        text: """
            Renames a secret, or every secret in a folder in one step: all of them, or none. If NEWNAME ends with a slash, it
            is a folder to move into. You authenticate as for reading, each time. An existing secret is never replaced.
            """,
        operands: [Operand(name: "NAME", values: .secret), Operand(name: "NEWNAME", values: .secret)],
        options: VaultOption(),
        examples: [
            ("latchkey mv work/token work/old-token", ""),
            ("latchkey mv work/ archive/work", "renames the folder"),
        ],
        statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let source = try access.source(given.words[0])
        let other = source.destination(given.words[1])
        let name = source.name
        if source.isFolder {
            let count = try access.relocate(name, to: other, isFolder: true, copies: false)
            Output.confirm("Renamed folder \(name) to \(other): \(counted(count, "secret")).")
            return ""
        }
        // Look before the prompt, so that you never authenticate for a rename that cannot be done.
        if try name != other && access.has(other, because: "rename \(name)") { throw AgentError.taken(other) }
        _ = try access.ask(ChangeCall(name, ChangeCall.Changes(name: other)), because: "rename \(name)")
        Output.confirm("Renamed \(name) to \(other).")
        return ""
    }
}

/// `latchkey cp`
enum CopyCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let recursive = Option("--recursive", "-r", says: "copy every secret in a folder")
    }

    static let declaration = Declaration(
        name: "cp", summary: "copy a secret or a folder",
        text: """
            Copies a secret with its access policy and its comment, or with -r every secret in a folder in one step: all of
            them, or none. If NEWNAME ends with a slash, it is a folder to copy into. You authenticate as for reading, each
            time. An existing secret is never replaced.
            """,
        operands: [Operand(name: "NAME", values: .secret), Operand(name: "NEWNAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey cp work/token work/new-token", ""), ("latchkey cp -r work backup/work", "copies the folder"),
        ],
        statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let source = try access.source(given.words[0], prefersFolder: given[\.recursive])
        let (name, other) = (source.name, source.destination(given.words[1]))
        if source.isFolder {
            guard given[\.recursive] else { throw AgentError.folder(name, "copy") }
            let count = try access.relocate(name, to: other, isFolder: true, copies: true)
            Output.confirm("Copied folder \(name) to \(other): \(counted(count, "secret")).")
            return ""
        }
        // Look before the prompt, so that you never authenticate for a copy that cannot be made.
        if try access.has(other, because: "copy \(name)") { throw AgentError.taken(other) }
        _ = try access.relocate(name, to: other, isFolder: false, copies: true)
        Output.confirm("Copied \(name) to \(other).")
        return ""
    }
}

/// `latchkey rm`
enum RemoveCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let recursive = Option("--recursive", "-r", says: "delete every secret in a folder")
        let force = Option("--force", "-f", says: "do not ask, and ignore names that do not exist")
        let now = Option("--now", says: "delete for good: latchkey undo cannot bring it back")
    }

    static let declaration = Declaration(
        name: "rm", summary: "delete secrets",
        text: """
            Deletes secrets. On a terminal, the command asks first. For 30 days, or as long as latchkey config --history says,
            latchkey undo NAME brings a secret back, and latchkey undo -r FOLDER a folder; with --now nothing can, also if it
            was deleted before. Only the last deleted secret of a name comes back: if you delete another one of the same name,
            the former is gone for good. With -r, it deletes every secret in a folder in one step: all of them, or none. If a
            name does not exist, nothing is deleted, unless you add --force. As on Apple's devices, deleting never asks for
            authentication.
            """,
        operands: [Operand(name: "NAME", values: .secret, isRepeated: true)],
        options: Options(),
        examples: [
            ("latchkey rm work/old-token", ""), ("latchkey rm --now work/old-token", "nothing brings it back"),
            ("latchkey rm -r archive", "deletes the folder"),
        ],
        statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let force = given[\.force]
        let access = try VaultAccess(given[\.vault], suggestsNames: !force)
        let folders = given[\.recursive] ? try access.folderCounts(of: given.words) : [:]
        let isFinal = given[\.now]
        if !force { refuseMissing(given.words, folders, isFinal: isFinal, access) }
        var former = isFinal ? [] : replaced(by: given.words, folders, access)
        if !force, isatty(STDIN_FILENO) == 1 {
            try confirm(given.words, folders, former, isFinal: isFinal, access)
            former = []  // The question has named them.
        }
        var missing: AgentError?
        for word in given.words {
            let folder = String.folder(word)
            do throws(AgentError) {
                if let count = folders[folder] {
                    try removeFolder(folder, count, former, isFinal: isFinal, access)
                } else {
                    if word != folder, !force { throw AgentError.folder(folder, "delete") }
                    let answer = try access.ask(RemoveCall(word, isFinal: isFinal), because: "delete \(word)")
                    let note = note(on: former.filter { isSame($0.entry.name, word) })
                    let advice = advice(answer.reply.keptFor, "take this back", undo: Shell.word(word))
                    Output.confirm(["Deleted \(word).", note, advice].compactMap { $0 }.joined(separator: " "))
                }
            } catch {
                guard error.kind == .notFound else { throw error }
                if force { continue }
                // Go on: the other names may exist.
                let isFolder = access.knownNames().map { NameFilter.isFolder(folder, among: $0) } == true
                missing = isFolder ? .folder(folder, "delete") : error
                Output.complain("\(missing ?? error)")
            }
        }
        if let missing { exit(ExitStatus.of(missing.kind)) }
        return ""
    }

    /// The number of names that a question shows.
    private static let shownNames = 3

    /// Returns what to type to undo a deletion; nil if nothing can.
    private static func advice(_ keptFor: Int?, _ what: String, undo words: String) -> String? {
        keptFor == nil ? nil : "To \(what), run `latchkey undo \(words)`."
    }

    /// Returns the secrets that were deleted before and cannot come back any more once these are deleted. In a locked vault,
    /// none is known.
    private static func replaced(
        by words: [String], _ folders: [String: Int], _ access: VaultAccess
    ) -> [DeletedEntry] {
        guard let deleted = try? access.listDeleted(because: "delete secrets").entries, !deleted.isEmpty,
            let names = access.knownNames()
        else { return [] }
        let present = Set(names.map { Array($0.utf8) })
        return deleted.filter { one in
            let name = one.entry.name
            return present.contains(Array(name.utf8))
                && (words.contains { isSame($0, name) } || folders.keys.contains { isInside($0, name) })
        }
    }

    /// Returns true if both names have the same bytes.
    private static func isSame(_ name: String, _ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }

    private static func isInside(_ folder: String, _ name: String) -> Bool {
        name.utf8.starts(with: (folder + "/").utf8)
    }

    /// Returns the sentence on secrets that cannot come back any more; nil if there are none.
    private static func note(on former: [DeletedEntry]) -> String? {
        guard let first = former.first else { return nil }
        let names = shortened(former.map { Terminal.line($0.entry.name) })
        return former.count == 1
            ? "This replaces the deleted version of \(names[0]) from \(ShownTime.text(first.deleted * 1000)) for good."
            : "This replaces the deleted versions of \(enumerated(names, "and")) for good."
    }

    /// Returns the first names, and how many more there are.
    private static func shortened(_ names: [String]) -> [String] {
        let others = names.count - shownNames
        return others > 0 ? Array(names.prefix(shownNames)) + ["\(others) more"] : names
    }

    /// Deletes every secret in a folder. A secret of the same name stays.
    private static func removeFolder(
        _ folder: String, _ count: Int, _ former: [DeletedEntry], isFinal: Bool, _ access: VaultAccess
    ) throws(AgentError) {
        let answer = try access.withoutSuggestions.ask(
            RemoveFolderCall(folder, count: count, isFinal: isFinal), because: "delete \(folder)")
        let advice = advice(answer.reply.keptFor, "bring it back", undo: "-r \(Shell.word(folder))")
        let deleted = "Deleted folder \(folder): \(counted(count, "secret"))."
        let note = note(on: former.filter { isInside(folder, $0.entry.name) })
        Output.confirm([deleted, note, advice].compactMap { $0 }.joined(separator: " "))
    }

    /// Reports the names that certainly do not exist, and then ends the command before it deletes any other.
    private static func refuseMissing(
        _ words: [String], _ folders: [String: Int], isFinal: Bool, _ access: VaultAccess
    ) {
        var deleted: [String] = []
        if isFinal {
            // A deleted secret can be deleted for good. In a locked vault, any name may be that of one.
            guard let list = try? access.listDeleted(because: "delete secrets"), list.locked == 0 else { return }
            deleted = list.entries.map(\.entry.name)
        }
        var faults: [AgentError] = []
        for word in words {
            let folder = String.folder(word)
            if folders[folder] != nil || deleted.contains(word) { continue }
            if word != folder {
                faults.append(AgentError.folder(folder, "delete"))
            } else if let fault = absence(of: word, access) {
                faults.append(fault)
            }
        }
        guard let last = faults.last else { return }
        for fault in faults { Output.complain(fault.message) }
        if faults.count < words.count {
            Output.complain("nothing was deleted: leave out the names that do not exist, or add --force")
        }
        exit(ExitStatus.of(last.kind))
    }

    /// Returns the error about a secret that certainly does not exist; nil if it may. It never prompts.
    private static func absence(of word: String, _ access: VaultAccess) -> AgentError? {
        guard access.isMissing(word) else { return nil }
        if let names = access.knownNames(), NameFilter.isFolder(word, among: names) {
            return AgentError.folder(word, "delete")
        }
        do throws(AgentError) {
            _ = try access.ask(ShowCall(word), because: "delete \(word)")
            return nil
        } catch { return error.kind == .notFound ? error : nil }
    }

    /// Asks if the secrets may be deleted, and names up to three. Names that do not exist are left to the deletion.
    private static func confirm(
        _ words: [String], _ folders: [String: Int], _ former: [DeletedEntry], isFinal: Bool, _ access: VaultAccess
    ) throws {
        var names: [String] = []
        for word in words {
            let folder = String.folder(word)
            if let inside = folders[folder] {
                names.append("the folder \(Terminal.line(folder)) with \(counted(inside, "secret"))")
            } else if word == folder && !access.isMissing(word) {
                names.append(Terminal.line(word))
            }
        }
        if names.isEmpty { return }
        let question = "Delete \(enumerated(shortened(names), "and"))\(isFinal ? " for good" : "")?"
        let lines = [note(on: former), question].compactMap { $0 }
        guard try access.prompter.confirms(lines.joined(separator: "\n"), else: "add --force") else {
            throw AgentError(.dismissed, "nothing was deleted")
        }
    }
}
