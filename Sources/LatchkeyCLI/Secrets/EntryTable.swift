internal import AccessPolicy
internal import AgentProtocol
internal import PlainText

/// The table of `latchkey list`. It keeps little of each secret, because a vault may have very many.
struct EntryTable {
    /// True if the vault keeps authentications for a while.
    var reuses = true
    private var rows: [(name: String, policy: Int32)] = []
    private var policies: [ItemPolicy] = []
    private var numbers: [ItemPolicy: Int32] = [:]

    mutating func add(_ entry: Entry) {
        let number = numbers[entry.policy] ?? Int32(policies.count)
        if Int(number) == policies.count {
            policies.append(entry.policy)
            numbers[entry.policy] = number
        }
        rows.append((Terminal.line(entry.name, longest: TextTable.longestName), number))
    }

    mutating func removeAll() {
        let reuses = reuses
        self = EntryTable()
        self.reuses = reuses
    }

    /// Passes the table to `body`, several lines at a time.
    func write(colored: Bool, _ body: (String) -> Void) {
        let names = rows.lazy.map { Self.width(of: $0.name) }.max() ?? 0
        let words = policies.map { ItemPolicyWords.prompting($0, isReused: reuses && $0.isReused) }
        let widest = words.map(\.count).max() ?? 0
        let ends = zip(policies, words).map { policy, words in
            words + Self.space(widest - words.count + 2)
                + TextTable.Tone.faint.text(policy.title, colored: colored) + "\n"
        }
        var lines = ""
        for row in rows {
            lines += row.name
            lines += Self.space(names - Self.width(of: row.name) + 2)
            lines += ends[Int(row.policy)]
            if lines.utf8.count > Self.piece {
                body(lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
        body(lines)
    }

    private static let piece = 32 * 1024

    private static func space(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Returns the number of characters, which are the bytes of most names.
    private static func width(of name: String) -> Int {
        name.utf8.allSatisfy { $0 < 0x80 } ? name.utf8.count : name.count
    }
}
