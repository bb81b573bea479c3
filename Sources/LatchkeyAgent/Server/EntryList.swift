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

    private func name(_ line: Line) -> ArraySlice<UInt8> { texts[line.start..<(line.start + Int(line.nameCount))] }

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

    /// Calls `body` with each secret in order; with its identifier if its comment is not kept.
    func forEach<Failure: Error>(_ body: (Entry, ItemIdentifier?) throws(Failure) -> Void) throws(Failure) {
        for line in lines {
            let middle = line.start + Int(line.nameCount)
            let entry = Entry(
                name: String(decoding: name(line), as: UTF8.self), policy: policies[Int(line.policy)],
                comment: String(
                    decoding: texts[middle..<(middle + max(0, Int(line.commentCount)))], as: UTF8.self),
                created: line.created, modified: line.modified)
            try body(entry, line.commentCount < 0 ? unkept[line.start] : nil)
        }
    }
}
