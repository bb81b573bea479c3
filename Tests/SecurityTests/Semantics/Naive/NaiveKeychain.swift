import Foundation

/// A second keychain for plain passwords, written only from the page on semantics: a list of dictionaries, and loops
/// over it. It knows no protection, no locks and no hashes.
struct NaiveKeychain {
    typealias Dictionary = [String: AnyHashable]

    struct Row {
        var itemClass: String
        /// The result of a search for attributes, with dates in milliseconds.
        var values: Dictionary
        var secret: Data?
        var reference = Data()
    }

    /// The result of a call: one of these statuses, because the page does not say which of several faults is reported.
    struct Refused: Error {
        var statuses: Set<Int32>
        init(_ statuses: Set<Int32>) { self.statuses = statuses }
        init(_ status: Int32) { statuses = [status] }
    }

    /// The attributes of each class. The list has no other classes than these two.
    static let attributes = [
        "genp": ["acct", "svce", "labl", "gena", "desc", "icmt", "crtr", "type", "invi", "vwht"],
        "inet": [
            "acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "labl", "desc", "icmt", "crtr", "type", "invi",
        ],
    ]
    private static let keys = [
        "genp": ["acct", "svce", "vwht"],
        "inet": ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "vwht"],
    ]
    private static let numbers: Set = ["crtr", "type", "invi", "ptcl", "port"]
    private static let others: Set = ["gena", "vwht"]
    private static let accessibilities: Set = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    var rows: [Row] = []
    /// Milliseconds since the first day of 2001.
    var now: Int64 = 788_918_400_000

    // MARK: - Reading dictionaries

    private struct Query {
        var itemClass: String?
        var values: Dictionary = [:]
        var names: Set<String> = []
        var group: String?
        var sync: String?  // "0", "1" or "syna"
        var accessibility: String?
        var secret: Data?
        var reference: Data?
        var wanted: Set<String> = []
        var limit: Int?
        var hasMatch = false
        var date: (created: Int64?, modified: Int64?) = (nil, nil)
        var speaksOfRow = false
        var faults: Set<Int32> = []
    }

    private static func read(_ dictionary: [String: Any], isChange: Bool = false) -> Query {
        var query = Query()
        let itemClass = dictionary["class"] as? String
        for (key, value) in dictionary {
            if isChange, key == "class" || ["m_", "u_", "r_"].contains(where: key.hasPrefix) {
                query.faults.insert(-25303)
                continue
            }
            switch key {
            case "class":
                query.itemClass = itemClass
                if let itemClass { if attributes[itemClass] == nil { query.faults.insert(-25306) } }
            case "v_Data":
                query.secret = value as? Data
                if query.secret == nil { query.faults.insert(-50) }
            case "v_PersistentRef": query.reference = value as? Data
            case "m_Limit":
                query.hasMatch = true
                if let text = value as? String {
                    query.limit = text == "m_LimitAll" ? .max : 1
                } else if let number = value as? Int {
                    query.limit = number == -1 ? .max : number
                } else {
                    query.faults.insert(-50)
                }
            case "m_CaseInsensitive": query.hasMatch = true
            case "r_Data", "r_Attributes", "r_PersistentRef", "r_Ref":
                if value as? Bool == true { query.wanted.insert(key) }
            case "agrp": query.group = value as? String
            case "sync":
                if let flag = value as? Bool {
                    query.sync = flag ? "1" : "0"
                } else {
                    query.sync = value as? String
                }
            case "pdmn":
                query.accessibility = value as? String
                if !accessibilities.contains(query.accessibility ?? "") { query.faults.insert(-50) }
            case "cdat": query.date.created = (value as? Date).map(milliseconds)
            case "mdat": query.date.modified = (value as? Date).map(milliseconds)
            case "musr", "tomb", "accc", "nleg": query.speaksOfRow = query.speaksOfRow || key != "nleg"
            default:
                guard key.utf8.count == 4 else {
                    query.faults.insert(-50)
                    continue
                }
                query.names.insert(key)
                do { query.values[key] = try converted(key, value) } catch { query.faults.formUnion(error.statuses) }
            }
        }
        return query
    }

    /// Returns the attribute as items of this class have it.
    private static func check(_ query: inout Query, for itemClass: String) {
        for name in query.names where !(attributes[itemClass] ?? []).contains(name) && name != "vwht" {
            query.faults.insert(-25303)
        }
    }

    private static func converted(_ name: String, _ value: Any) throws(Refused) -> AnyHashable {
        // This is a value that is neither a text, nor bytes, nor a number or a Bool.
        let number = (value as? NSNumber)?.intValue ?? (value as? Bool).map { $0 ? 1 : 0 }
        if value is NSNull || value is Date || (number == nil && !(value is String) && !(value is Data)) {
            throw Refused(-50)
        }
        if name == "vwht" {
            if let data = value as? Data, let text = String(data: data, encoding: .utf8) { return text }
            guard let text = value as? String else { throw Refused(-50) }
            return text
        }
        if numbers.contains(name) {
            if value is Data { throw Refused(-50) }
            if let text = value as? String {
                if let number = Int(text) { return number }
                return text
            }
            return number ?? 0
        }
        if let text = value as? String { return text }
        if let data = value as? Data { return data }
        return number ?? 0
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSinceReferenceDate * 1000).rounded())
    }

    /// Texts and data with the same bytes are equal. A number equals only that number.
    private static func isSame(_ left: AnyHashable, _ right: AnyHashable) -> Bool {
        func bytes(_ value: AnyHashable) -> Data? {
            (value.base as? String).map { Data($0.utf8) } ?? value.base as? Data
        }
        if let left = bytes(left), let right = bytes(right) { return left == right }
        if bytes(left) != nil || bytes(right) != nil { return false }
        return left == right
    }

    private static func isDuplicate(_ left: Row, _ right: Row) -> Bool {
        guard left.itemClass == right.itemClass, left.values["agrp"] == right.values["agrp"],
            left.values["sync"] == right.values["sync"]
        else { return false }
        return (keys[left.itemClass] ?? []).allSatisfy { name in
            let missing: AnyHashable = numbers.contains(name) ? 0 : ""
            return isSame(left.values[name] ?? missing, right.values[name] ?? missing)
        }
    }

    // MARK: - Calls

    /// Stores an item. The caller fills in its reference.
    mutating func add(_ dictionary: [String: Any], groups: [String]) throws(Refused) {
        var query = Self.read(dictionary)
        guard let itemClass = query.itemClass, Self.attributes[itemClass] != nil else {
            throw Refused(query.faults.union([query.itemClass == nil ? -50 : -25306]))
        }
        Self.check(&query, for: itemClass)
        if !query.faults.isEmpty { throw Refused(query.faults) }
        let group = query.group ?? groups[0]
        if !groups.contains(group) { throw Refused(-34018) }
        var row = Row(itemClass: itemClass, values: query.values, secret: query.secret)
        for name in Self.keys[itemClass] ?? [] where row.values[name] == nil && name != "vwht" {
            row.values[name] = Self.numbers.contains(name) ? 0 : ""
        }
        row.values["agrp"] = group
        row.values["pdmn"] = query.accessibility ?? "ak"
        row.values["sync"] = query.sync == "1" ? 1 : 0
        row.values["cdat"] = now
        row.values["mdat"] = now
        if rows.contains(where: { Self.isDuplicate($0, row) }) { throw Refused(-25299) }
        rows.append(row)
    }

    /// The possible results of a search: the matching rows, and how many of them.
    struct Found {
        var rows: [Row]
        var limit: Int
        var isList: Bool
        var wanted: Set<String>
    }

    func copy(_ dictionary: [String: Any], groups: [String]) throws(Refused) -> Found {
        let query = Self.read(dictionary)
        let places = try matches(query, groups: groups)
        let limit = query.limit ?? 1
        if limit == 0 { throw Refused(-25300) }
        return Found(rows: places.map { rows[$0] }, limit: max(limit, 1), isList: limit != 1, wanted: query.wanted)
    }

    /// Returns the faults of a query, whatever it finds.
    private func faults(of query: Query, groups: [String]) -> Set<Int32> {
        do { _ = try matches(query, groups: groups) } catch { return error.statuses.subtracting([-25300]) }
        return []
    }

    mutating func delete(_ dictionary: [String: Any], groups: [String]) throws(Refused) {
        var query = Self.read(dictionary)
        if query.hasMatch { query.faults.insert(-50) }
        if let group = query.group, !groups.contains(group) {
            throw Refused(faults(of: query, groups: groups).union([-34018]))
        }
        let places = Set(try matches(query, groups: groups))
        rows = rows.enumerated().filter { !places.contains($0.offset) }.map(\.element)
    }

    mutating func update(_ dictionary: [String: Any], _ changes: [String: Any], groups: [String]) throws(Refused) {
        var query = Self.read(dictionary)
        if query.hasMatch || !query.wanted.isEmpty { query.faults.insert(-50) }
        var change = Self.read(changes, isChange: true)
        if let itemClass = query.itemClass ?? query.reference.flatMap({ String(data: $0.prefix(4), encoding: .utf8) }) {
            Self.check(&change, for: itemClass)
        }
        // A group that is not the caller's is refused before anything is searched for. If both dictionaries are wrong,
        // or nothing is found as well, the page does not say what comes first.
        let isForeign = [query.group, change.group].contains { $0.map { !groups.contains($0) } ?? false }
        if isForeign {
            throw Refused(faults(of: query, groups: groups).union(change.faults).union([-34018]))
        }
        let places: [Int]
        do { places = try matches(query, groups: groups) } catch {
            throw Refused(error.statuses.union(change.faults))
        }
        if !change.faults.isEmpty { throw Refused(change.faults) }
        var changed = rows
        for place in places {
            var row = changed[place]
            row.values.merge(change.values) { $1 }
            if let group = change.group { row.values["agrp"] = group }
            if let accessibility = change.accessibility { row.values["pdmn"] = accessibility }
            if let sync = change.sync, sync != "syna" { row.values["sync"] = sync == "1" ? 1 : 0 }
            if let secret = change.secret { row.secret = secret }
            if let created = change.date.created { row.values["cdat"] = created }
            let modified = row.values["mdat"]?.base as? Int64 ?? 0
            row.values["mdat"] = max(now, modified + 1)
            changed[place] = row
        }
        for left in places {
            for right in changed.indices where left != right && Self.isDuplicate(changed[left], changed[right]) {
                throw Refused(-25299)
            }
        }
        rows = changed
    }

    private func matches(_ query: Query, groups: [String]) throws(Refused) -> [Int] {
        var query = query
        if let reference = query.reference {
            let letters = String(data: reference.prefix(4), encoding: .utf8) ?? ""
            if let itemClass = query.itemClass, itemClass != letters { query.faults.insert(-25306) }
            let saysMore =
                !query.values.isEmpty || query.group != nil || (query.sync ?? "syna") != "syna"
                || query.accessibility != nil
                || query.date.created != nil || query.date.modified != nil || query.speaksOfRow
            if saysMore { query.faults.insert(-50) }
            if !query.faults.isEmpty { throw Refused(query.faults) }
            let places = rows.indices.filter { place in
                rows[place].reference == reference && groups.contains(rows[place].values["agrp"]?.base as? String ?? "")
            }
            if places.isEmpty { throw Refused(-25300) }
            return places
        }
        guard let itemClass = query.itemClass else { throw Refused(query.faults.union([-50])) }
        Self.check(&query, for: itemClass)
        if !query.faults.isEmpty { throw Refused(query.faults) }
        if let group = query.group, !groups.contains(group) { throw Refused(-34018) }
        var places: [Int] = []
        for (place, row) in rows.enumerated() {
            guard row.itemClass == itemClass, let group = row.values["agrp"]?.base as? String else { continue }
            if !groups.contains(group) || (query.group ?? group) != group { continue }
            let sync = row.values["sync"] == AnyHashable(1) ? "1" : "0"
            if query.sync != "syna" && (query.sync ?? "0") != sync { continue }
            if let accessibility = query.accessibility, row.values["pdmn"] != AnyHashable(accessibility) { continue }
            if let created = query.date.created, row.values["cdat"] != AnyHashable(created) { continue }
            if let modified = query.date.modified, row.values["mdat"] != AnyHashable(modified) { continue }
            let isOther = query.values.contains { name, value in
                guard let stored = row.values[name] else { return true }
                return !Self.isSame(stored, value)
            }
            if !isOther { places.append(place) }
        }
        if places.isEmpty { throw Refused(-25300) }
        return places
    }
}
