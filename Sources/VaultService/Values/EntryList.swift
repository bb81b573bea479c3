internal import AgentProtocol
internal import Glibc
internal import SecretVault

/// Secrets to send as a list. It keeps the texts of all of them in one piece of memory, because a vault may have very
/// many.
struct EntryList {
    private struct Line {
        /// The place of the name in the texts. The comment follows it.
        let start: Int
        let nameCount: Int32
        /// The number of bytes of the comment; -1 if there was no room for it.
        let commentCount: Int32
        let policy: Int32
        let created: Int64
        let modified: Int64
    }

    private var texts: [UInt8] = []
    private var lines: [Line] = []
    private var policies: [ItemPolicy] = []
    private var numbers: [ItemPolicy: Int32] = [:]
    /// The identifiers of the secrets whose comments are not kept, by the place of their names in the texts.
    private var unkept: [Int: ItemIdentifier] = [:]
    private var areNamesASCII = true

    var count: Int { lines.count }
    /// The number of bytes that the texts take.
    var size: Int { texts.count }

    mutating func removeAll() { self = EntryList() }

    /// Adds a secret. Unless `keepsComment` is true, its comment has to be read again when it is sent.
    mutating func add(_ item: ListedItem, keepsComment: Bool) {
        let entry = Entry(item)
        let start = texts.count
        texts.append(contentsOf: entry.name.utf8)
        let middle = texts.count
        if areNamesASCII { areNamesASCII = texts[start...].allSatisfy { $0 < 0x80 } }
        if keepsComment { texts.append(contentsOf: entry.comment.utf8) } else { unkept[start] = item.id }
        lines.append(
            Line(
                start: start, nameCount: Int32(middle - start),
                commentCount: keepsComment ? Int32(texts.count - middle) : -1, policy: number(of: entry.policy),
                created: entry.created, modified: entry.modified))
    }

    private mutating func number(of policy: ItemPolicy) -> Int32 {
        if let number = numbers[policy] { return number }
        let number = Int32(policies.count)
        policies.append(policy)
        numbers[policy] = number
        return number
    }

    /// Sorts the secrets by their names, as texts are compared.
    mutating func sort() {
        if areNamesASCII {
            // Texts in ASCII are in the order of their bytes.
            let texts = texts
            texts.withUnsafeBytes { texts in
                lines.sort { left, right in
                    let count = Int(min(left.nameCount, right.nameCount))
                    guard let first = texts.baseAddress else { return false }
                    let order = memcmp(first + left.start, first + right.start, count)
                    return order == 0 ? left.nameCount < right.nameCount : order < 0
                }
            }
        } else {
            let texts = texts
            func name(_ line: Line) -> String {
                String(decoding: texts[line.start..<(line.start + Int(line.nameCount))], as: UTF8.self)
            }
            lines.sort { name($0) < name($1) }
        }
    }

    /// Calls `body` with the text of each secret in order. If a comment is not kept, the text is empty, and the secret
    /// has to be read again by its identifier.
    func forEach<Failure: Error>(
        _ body: (_ text: [UInt8], _ unkept: ItemIdentifier?) throws(Failure) -> Void
    ) throws(Failure) {
        let policies = policies.map(\.text)
        var text: [UInt8] = []
        for line in lines {
            text.removeAll(keepingCapacity: true)
            guard line.commentCount >= 0 else {
                try body(text, unkept[line.start])
                continue
            }
            let middle = line.start + Int(line.nameCount)
            Entry.write(
                name: texts.span.extracting(line.start..<middle), policy: policies[Int(line.policy)],
                comment: texts.span.extracting(middle..<(middle + Int(line.commentCount))), line.created, line.modified,
                to: &text)
            try body(text, nil)
        }
    }
}
