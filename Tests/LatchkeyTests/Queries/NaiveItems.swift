import AccessPolicy
import Latchkey
import SecretVault

/// Passwords in a plain list, and the effect of queries on it, written a second time: with loops, and without the
/// keychain's code.
struct NaiveItems {
    struct Item {
        var id: ItemIdentifier
        var itemClass: ItemClass
        var attributes: [String: AttributeValue]
        var protection: Accessibility
        var group: String
        var isSynchronizable: Bool
        var created: Double
        var secret: String?
    }

    /// The number that a request ends in, or several if it has several faults.
    struct Refused: Error {
        let codes: Set<Int32>
    }

    var items: [Item] = []

    // MARK: - Requests

    private static let passwords = [
        "acct", "labl", "alis", "desc", "icmt", "prot", "crtr", "type", "scrp", "invi", "nega", "cusi",
    ]
    static let attributes: [ItemClass: [String]] = [
        .genericPassword: passwords + ["svce", "gena"],
        .internetPassword: passwords + ["srvr", "sdmn", "port", "path", "ptcl", "atyp"],
    ]
    private static let keys: [ItemClass: [String]] = [
        .genericPassword: ["acct", "svce"],
        .internetPassword: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"],
    ]
    private static let numbers = ["crtr", "type", "scrp", "invi", "nega", "cusi", "port", "ptcl"]

    /// Returns the attributes as they are stored.
    static func converted(_ attributes: Attributes, _ itemClass: ItemClass) throws -> [String: AttributeValue] {
        var codes: Set<Int32> = []
        var converted: [String: AttributeValue] = [:]
        for (name, value) in attributes.values {
            if Self.attributes[itemClass]?.contains(name) != true {
                codes.insert(-25303)
            } else if !numbers.contains(name) {
                converted[name] = value
            } else if case .string(let text) = value {
                converted[name] = text == "7" ? .number(7) : value
            } else if case .data = value {
                codes.insert(-50)
            } else {
                converted[name] = value
            }
        }
        if codes.isEmpty { return converted }
        throw Refused(codes: codes)
    }

    private static func isSame(_ name: String, _ left: AttributeValue, _ right: AttributeValue) -> Bool {
        func bytes(_ value: AttributeValue) -> [UInt8]? {
            switch value {
            case .string(let text): Array(text.utf8)
            case .data(let data): data
            case .number(let number) where !numbers.contains(name) && name != "alis" && name != "prot":
                (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            case .number, .date: nil
            }
        }
        if let left = bytes(left), let right = bytes(right) { return left == right }
        return left == right
    }

    private static func isDuplicate(_ left: Item, _ right: Item) -> Bool {
        guard left.itemClass == right.itemClass, left.group == right.group else { return false }
        guard left.isSynchronizable == right.isSynchronizable else { return false }
        for name in keys[left.itemClass] ?? [] {
            guard let mine = left.attributes[name], let others = right.attributes[name] else { return false }
            if !isSame(name, mine, others) { return false }
        }
        return true
    }

    // MARK: - Calls

    /// Returns the item as it would be stored.
    func adding(_ new: NewItem, _ secret: String?, groups: [String]) throws -> Item {
        var attributes = try Self.converted(new.attributes, new.itemClass)
        for name in Self.keys[new.itemClass] ?? [] where attributes[name] == nil {
            attributes[name] = Self.numbers.contains(name) ? .number(0) : .string("")
        }
        let group = new.group ?? groups[0]
        if !groups.contains(group) { throw Refused(codes: [-34018]) }
        let item = Item(
            id: Self.noID, itemClass: new.itemClass, attributes: attributes,
            protection: new.control?.protection ?? .whenUnlocked, group: group,
            isSynchronizable: new.isSynchronizable, created: 0, secret: secret)
        if items.contains(where: { Self.isDuplicate($0, item) }) { throw Refused(codes: [-25299]) }
        return item
    }

    private static let noID = ItemIdentifier(bytes: Array(repeating: 0, count: 16)).unsafelyUnwrapped

    /// Returns the attributes to match, as they are stored, without the dates.
    private static func wanted(_ query: ItemQuery, _ itemClass: ItemClass) throws -> [String: AttributeValue] {
        var wanted = query.attributes
        wanted["cdat"] = nil
        return try converted(wanted, itemClass)
    }

    /// Returns the places of the items that a query deletes. A group in the query is checked before the rest is read
    /// (semantics 3.7).
    func removals(_ query: ItemQuery, groups: [String]) throws -> [Int] {
        if let group = query.group, !groups.contains(group) { throw Refused(codes: [-34018]) }
        return try matches(query, groups: groups)
    }

    /// Returns the places of the items that a query matches.
    func matches(_ query: ItemQuery, groups: [String]) throws -> [Int] {
        var found: [Int] = []
        if let reference = query.reference {
            for (place, item) in items.enumerated() where item.id == reference && groups.contains(item.group) {
                found.append(place)
            }
        } else if let itemClass = query.itemClass {
            let attributes = try Self.wanted(query, itemClass)
            if let group = query.group, !groups.contains(group) { throw Refused(codes: [-34018]) }
            for (place, item) in items.enumerated() {
                if item.itemClass != itemClass || !groups.contains(item.group) { continue }
                if let group = query.group, item.group != group { continue }
                if query.synchronizable == .no && item.isSynchronizable { continue }
                if query.synchronizable == .yes && !item.isSynchronizable { continue }
                if let accessible = query.accessible, item.protection != accessible { continue }
                if let date = query.attributes["cdat"], date != .date(item.created) { continue }
                var isOther = false
                for (name, value) in attributes {
                    if let stored = item.attributes[name], Self.isSame(name, stored, value) { continue }
                    isOther = true
                }
                if !isOther { found.append(place) }
            }
        }
        if found.isEmpty { throw Refused(codes: [-25300]) }
        return found
    }

    mutating func update(_ query: ItemQuery, _ changes: ItemChanges, secret: String?, groups: [String]) throws {
        // The order of the checks (semantics 3.6): the group of the query, the query, the group of the changes, the
        // changes, and the items.
        if let group = query.group, !groups.contains(group) { throw Refused(codes: [-34018]) }
        if let itemClass = query.itemClass { _ = try Self.wanted(query, itemClass) }
        if let group = changes.group, !groups.contains(group) { throw Refused(codes: [-34018]) }
        // A reference names the class of its item, even if the item belongs to another caller.
        var merging: [String: AttributeValue] = [:]
        if let itemClass = query.itemClass ?? items.first(where: { $0.id == query.reference })?.itemClass {
            merging = try Self.converted(changes.merging, itemClass)
        }
        let found = try matches(query, groups: groups)
        var changed = items
        for place in found {
            changed[place].attributes.merge(merging) { $1 }
            if let group = changes.group { changed[place].group = group }
            if let travels = changes.isSynchronizable { changed[place].isSynchronizable = travels }
            if let control = changes.control { changed[place].protection = control.protection }
            if let secret { changed[place].secret = secret }
        }
        for left in changed.indices {
            for right in changed.indices where left < right && Self.isDuplicate(changed[left], changed[right]) {
                throw Refused(codes: [-25299])
            }
        }
        items = changed
    }
}
