internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools

/// `latchkey history`
enum HistoryCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let fields = Option("--fields", says: "print only the names of the fields, one on each line, and never prompt")
        let json = Option("--json", says: "print JSON")
    }

    static let declaration = Declaration(
        name: "history", summary: "list the versions of a secret",
        text: """
            Lists the versions of a secret, without their contents: when each was saved, its size and its fields. You
            authenticate as for reading the secret, because all versions are sealed together. A former version stays for
            30 days, or as long as latchkey config --history says. A secret keeps at most ten, and none that its access
            policy would open more easily than before.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey history work/token", ""),
            ("latchkey get work/token --version 1", "writes the value before the present one"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: !given[\.fields], suggestsNames: true)
        let name = given.words[0]
        if given[\.fields] {
            let fields = try access.versions(of: name, because: "list the fields of \(name)").first?.fields ?? []
            return fields.map { Terminal.line($0) + "\n" }.joined()
        }
        let versions = try access.versions(of: name, because: "list the versions of \(name)")
        if given[\.json] { return versions.map { $0.head.text + "\n" }.joined() }
        var table = TextTable()
        for (place, version) in versions.enumerated() {
            let fields = version.fields.isEmpty ? "" : "fields \(version.fields.joined(separator: ", "))"
            table.rows.append([
                .init(place == 0 ? "now" : "\(place)", .faint), .init(ShownTime.text(version.saved * 1000)),
                .init(counted(version.count, "byte"), .faint), .init(Terminal.line(fields), .faint),
            ])
        }
        return table.text(colored: Output.isColored)
    }
}

/// `latchkey undo`
enum UndoCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let version = Option(
            "--version", value: "N", says: "bring back this version instead of the last one: see latchkey history",
            read: FormerVersion.number)
        let recursive = Option("--recursive", "-r", says: "bring back every deleted secret in a folder")
    }

    static let declaration = Declaration(
        name: "undo", summary: "bring back a deleted secret, or the former value of one",
        text: """
            Brings back a secret that latchkey rm deleted, or with -r every deleted secret in a folder; latchkey list --deleted
            lists them. Each opens as before. The vault has to be unlocked, and nothing more is asked, as for deleting.

            If the secret exists, brings back the value and the fields that a secret had before they were last changed. You authenticate as for
            reading the secret. The present ones become the last former version, so latchkey undo NAME takes it back. A change
            asks each time, even in a session in which reading does not.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey undo work/token", ""), ("latchkey undo -r work", "brings back the folder that rm -r deleted"),
        ],
        statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = given.words[0]
        if given[\.recursive] {
            if given[\.version] != nil { throw UsageError("--recursive and --version exclude each other") }
            try undoFolder(String.folder(name), access)
            return ""
        }
        let change = EditPartCall.Change(restored: given[\.version] ?? 1)
        // A deleted secret comes back with its versions, and then one of them can.
        if try given[\.version] == nil && !access.has(name, because: "bring back \(name)") {
            try putBack(name, access)
            Output.confirm("\(Terminal.line(name)) is back.")
            return ""
        }
        // Say so before the prompt.
        if try access.settings().history == 0 {
            throw AgentError(
                .notFound,
                "the vault keeps no former versions: from now on it does once you run `latchkey config --history 30d`")
        }
        let reason = "bring back the former value of \(name)"
        let isProtected = (try? access.entry(of: name, because: reason).item.policy.isProtected) ?? true
        let former = isProtected ? nil : access.quietVersions(of: name)
        do throws(AgentError) {
            _ = try access.ask(EditPartCall(name, change), because: reason)
        } catch {
            guard error.kind == .notFound, try access.has(name, because: "bring back a former value") else {
                throw error
            }
            if given[\.version] == nil, access.deletedNames().contains(name) {
                throw AgentError(.notFound, "\(name) has no former version, and \(nameInUse(name))")
            }
            throw AgentError(
                .notFound,
                "\(name) has no former version \(change.restored ?? 1): see `latchkey history \(Shell.word(name))`")
        }
        let shown = Terminal.line(name)
        // A change of a field is a version, too. Without a prompt it may be unknown if there were any.
        let hasFields = former?.contains { !$0.fields.isEmpty } ?? true
        let what = hasFields ? "value and its former fields" : "value"
        Output.confirm("\(shown) has its former \(what) again. To take this back, run `latchkey undo \(shown)`.")
        return ""
    }
}

extension UndoCommand {
    /// Brings back a deleted secret.
    private static func putBack(_ name: String, _ access: VaultAccess) throws(AgentError) {
        do throws(AgentError) {
            _ = try access.withoutSuggestions.ask(PutBackCall(name), because: "bring back \(name)")
        } catch {
            guard error.kind == .notFound else { throw error }
            let deleted = access.deletedNames()
            if NameFilter.isFolder(name, among: deleted) {
                throw AgentError(.notFound, "\(name) is a folder: run `latchkey undo -r \(Shell.word(name))`")
            }
            let others = deleted + (access.knownNames() ?? [])
            let hint =
                nearest(to: name, among: others).map { "did you mean \($0)?" }
                ?? "run `latchkey list --deleted` to see what can come back"
            throw AgentError(.notFound, "no secret \(name), and none of this name was deleted: \(hint)")
        }
    }

    /// The reason why a deleted secret cannot come back while another one has its name, and what to do.
    private static func nameInUse(_ name: String) -> String {
        let word = Shell.word(name)
        return
            "the deleted secret of this name comes back only once the name is free: run `latchkey mv \(word) OTHER`, then "
            + "`latchkey undo \(word)`"
    }

    /// Brings back every deleted secret in a folder. One whose name is in use again stays deleted, and is named.
    private static func undoFolder(_ folder: String, _ access: VaultAccess) throws {
        let (deleted, locked) = try access.deleted(because: "bring back \(folder)")
        let wanted = deleted.filter { $0.entry.name.utf8.starts(with: (folder + "/").utf8) }
        if wanted.isEmpty {
            if locked > 0 { throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal") }
            throw AgentError(
                .notFound, "no deleted secret is in \(folder): run `latchkey list --deleted` to see what can come back")
        }
        // Look first: bringing back over a secret would ask for its authentication, in vain.
        let used = Set((access.knownNames() ?? []).map { Array($0.utf8) })
        var count = 0
        for one in wanted {
            let name = one.entry.name
            if used.contains(Array(name.utf8)) {
                Output.complain("not brought back: \(name): \(nameInUse(name))")
                continue
            }
            do throws(AgentError) {
                _ = try access.ask(PutBackCall(name), because: "bring back \(name)")
                count += 1
            } catch {
                switch error.kind {
                case .exists: Output.complain("not brought back: \(name): \(nameInUse(name))")
                case .notFound: Output.complain("not brought back: \(name): \(error)")
                default:
                    // Others are back, which the words of the error may deny.
                    if count == 0 { throw error }
                    Output.confirm("Brought back \(counted(count, "secret")) of \(Terminal.line(folder)).")
                    let why = error.kind == .dismissed ? "the prompt was dismissed" : "\(error)"
                    throw AgentError(error.kind, "\(name) and what follows it were not brought back: \(why)")
                }
            }
        }
        Output.confirm("Brought back \(counted(count, "secret")) of \(Terminal.line(folder)).")
        if count < wanted.count { exit(ExitStatus.of(.exists)) }
    }
}

/// The number of a former version, as it is written on a command line.
enum FormerVersion {
    static func number(_ text: String) throws(UsageError) -> Int {
        guard let number = Int(text), (1...WireLimits.formerVersions).contains(number) else {
            throw UsageError("--version needs a number from 1 to \(WireLimits.formerVersions): see latchkey history")
        }
        return number
    }
}

extension VaultAccess {
    /// Returns the versions of a secret, the present one first.
    func versions(of name: String, because reason: String) throws(AgentError) -> [SecretVersion] {
        let answer = try ask(HistoryCall(name), because: reason)
        return answer.reply.versions
    }

    /// Returns the versions of a secret that reading would not prompt for now; nil of any other. It never prompts.
    func quietVersions(of name: String) -> [SecretVersion]? {
        var quiet = withoutSuggestions
        quiet.user = nil
        return try? quiet.versions(of: name, because: "list the fields of \(name)")
    }
}
