internal import CommandLineKit
internal import LatchkeyAgent
internal import PlainText

/// `latchkey history`
enum HistoryCommand {
    static let declaration = Declaration(
        name: "history", summary: "list the versions of a secret",
        text: """
            Lists the versions of a secret, without their contents: when each was saved, its size and its fields. You
            authenticate as for reading the secret, because all versions are sealed together. A former version stays for
            30 days, or as long as latchkey config --history says. A secret keeps at most ten, and none that its access
            policy would open more easily than before.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: VaultReportOptions(),
        examples: [
            ("latchkey history work/token", ""),
            ("latchkey get work/token --version 1", "writes the value before the present one"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = given.words[0]
        try access.requireHistory()
        let versions = try access.versions(of: name, because: "list the versions of \(name)")
        if given[\.json] { return versions.map { $0.head.text + "\n" }.joined() }
        var table = TextTable()
        for (place, version) in versions.enumerated() {
            let fields = version.fields.isEmpty ? "" : "fields \(version.fields.joined(separator: ", "))"
            table.rows.append([
                .init(place == 0 ? "now" : "\(place)", .faint), .init(Moment.text(version.saved * 1000)),
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
    }

    static let declaration = Declaration(
        name: "undo", summary: "bring back a deleted secret, or the former value of one",
        text: """
            Brings back a secret that latchkey rm deleted. It opens as before. The vault has to be unlocked, and nothing more is
            asked, as for deleting.

            If the secret exists, brings back the value and the fields that a secret had before they were last changed. You authenticate as for
            reading the secret. The present ones become the last former version, so latchkey undo NAME takes it back. A change
            asks each time, even in a session in which reading does not.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(), examples: [("latchkey undo work/token", "")],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = given.words[0]
        let change = Request.PartChange(restored: given[\.version] ?? 1)
        try access.requireHistory()
        // A deleted secret comes back with its versions, and then one of them can.
        if given[\.version] == nil && access.client.knowsPuttingBack {
            if try !access.has(name, because: "bring back \(name)") {
                _ = try access.ask(.putBack(name), because: "bring back \(name)")
                Output.confirm("\(Terminal.line(name)) is back.")
                return ""
            }
        }
        do throws(AgentError) {
            _ = try access.ask(.editPart(name, change), because: "bring back the former value of \(name)")
        } catch {
            guard error.kind == .notFound, try access.has(name, because: "bring back a former value") else {
                throw error
            }
            throw AgentError(
                .notFound, "\(name) has no former version \(change.restored ?? 1): see `latchkey history \(name)`")
        }
        let shown = Terminal.line(name)
        Output.confirm("\(shown) has its former value again. To take this back, run `latchkey undo \(shown)`.")
        return ""
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
        var head = try ask(.history(name), because: reason).head
        do throws(WireError) {
            return try head.consumeList("versions").map { (value) throws(WireError) in
                guard var head = Head(value) else { throw .malformed("\"versions\" is a list of objects") }
                return try SecretVersion(reading: &head)
            }
        } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Throws if the agent is of an earlier version, which keeps no former versions.
    func requireHistory() throws(AgentError) {
        if !client.knowsHistory { throw AgentError.ofEarlierVersion }
    }
}
