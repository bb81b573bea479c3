internal import AgentProtocol
internal import Latchkey
internal import SecretVault

/// The purposes that a secret or a private key may be lent for. They are an attribute of the item, sealed with its others, so a list
/// has room for no other secret of that name. A profile cannot widen it.
struct LendingTargets: Hashable, Sendable {
    private(set) var all: [String]

    /// The attribute that has them: one that keys have too, or one of passwords.
    private let attribute: AttributeName
    /// The beginning of its text. What another program keeps there is no list.
    private static let mark = "latchkey lends to:"
    private static let most = 64

    /// Reads the list of an item.
    init(of item: StoredItem) {
        attribute = item.description.itemClass == .key ? .alias : .generic
        let text: String =
            switch item.description.attributes[attribute] {
            case .string(let text): text
            case .data(let bytes): String(decoding: bytes, as: UTF8.self)
            case .number, .date, nil: ""
            }
        let lines = text.split(separator: "\n").map(String.init)
        all = lines.first == Self.mark ? Array(lines.dropFirst()) : []
    }

    /// Allows some purposes and forbids others.
    mutating func change(allowing allowed: [String], forbidding forbidden: [String]) throws(AgentError) {
        all = all.filter { !forbidden.contains($0) }
        for target in allowed where !all.contains(target) { all.append(target) }
        guard all.count <= Self.most else {
            throw AgentError(
                .request, "a secret may be lent for at most \(Self.most) purposes: forbid some with --no-longer")
        }
    }

    /// The change of an item that stores the list.
    var change: ItemChanges {
        var changes = ItemChanges()
        changes.merging[attribute] = .string(([Self.mark] + all).joined(separator: "\n"))
        return changes
    }
}
