internal import AgentProtocol
internal import Glibc
internal import PlainText
internal import SecretTools

/// Writes the list of secrets to standard output, as it arrives. Names alone are kept for the command to return.
struct EntryOutput {
    enum Style {
        case names, json, tree, table
    }

    /// The number of secrets that were written, and of all.
    private(set) var count = 0
    private(set) var total = 0
    /// The number of secrets that are left out because they are locked.
    private(set) var locked = 0
    private let style: Style
    /// True if lines can be written before the list is whole: unless the command returns them.
    private var isFinal: Bool { style != .names }
    /// The lines that are not written yet.
    private(set) var lines = ""
    private var names: [SecretName] = []
    private var table = EntryTable()

    private static let piece = 32 * 1024

    private init(_ style: Style) { self.style = style }

    /// Writes the secrets for which `isWanted` returns true. Says if some are left out because they are locked or damaged,
    /// unless `isQuiet` is true, and then ends the command with a status of its own: some must not pass for all.
    static func write(
        _ style: Style, of access: VaultAccess, withComments: Bool = false, isQuiet: Bool,
        where isWanted: (Entry) -> Bool
    ) throws -> EntryOutput {
        var output = EntryOutput(style)
        if case .table = style { output.table.reuses = try access.settings().reuse > 0 }
        let left = try access.eachEntry(withComments: withComments || style == .json) { entry in
            output.total += 1
            if isWanted(entry) { output.add(entry) }
        }
        if left.locked > 0 && output.total == 0 && !isQuiet {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        output.finish()
        output.locked = left.locked
        if isQuiet || left.locked + left.damaged == 0 { return output }
        if left.locked > 0 {
            Output.complain("\(counted(left.locked, "more secret")) locked: run `latchkey unlock`")
        }
        if left.damaged > 0 {
            Output.complain("\(counted(left.damaged, "more secret")) damaged: run `latchkey verify`")
        }
        exit(ExitStatus.of(left.damaged > 0 ? .damaged : .locked))
    }

    private mutating func add(_ entry: Entry) {
        count += 1
        switch style {
        case .names: lines += Terminal.line(entry.name) + "\n"
        case .json: lines += entry.text + "\n"
        case .tree: if let name = try? SecretName(entry.name) { names.append(name) }
        case .table: table.add(entry)
        }
        if isFinal && lines.utf8.count > Self.piece { flush() }
    }

    private mutating func flush() {
        Output.write(lines)
        lines.removeAll(keepingCapacity: true)
    }

    private mutating func finish() {
        switch style {
        case .names: break
        case .json: flush()
        case .tree: Output.write(NameTree(names).lines().map { Terminal.line($0) + "\n" }.joined())
        case .table: table.write(colored: Output.isColored) { Output.write($0) }
        }
    }
}
