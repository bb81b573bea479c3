import Foundation
import Security

extension NaiveKeychain.Found {
    /// Returns true if the search may have returned this.
    func admits(_ result: Any?) -> Bool {
        if wanted.subtracting(["r_Ref"]).isEmpty { return result == nil }
        let expected = rows.map { Self.words(of: element($0)) }
        guard isList else {
            if wanted == ["r_Data"], result == nil { return rows.contains { $0.secret == nil } }
            guard let result else { return false }
            return expected.contains(Self.words(of: result))
        }
        guard let list = result as? [Any] else { return false }
        // Each row is returned at most once, and all of them if the limit allows.
        var left = expected.compactMap(\.self)
        for element in list {
            guard let place = left.firstIndex(of: Self.words(of: element) ?? "") else { return false }
            left.remove(at: place)
        }
        if limit >= rows.count { return left.isEmpty }
        return wanted == ["r_Data"] ? list.count <= limit : list.count == limit
    }

    private func element(_ row: NaiveKeychain.Row) -> Any? {
        switch wanted {
        case ["r_Data"]: return row.secret
        case ["r_PersistentRef"]: return row.reference
        default: break
        }
        var element: [String: Any] = [:]
        if wanted.contains("r_Attributes") {
            for (name, value) in row.values { element[name] = value.base }
            for name in ["cdat", "mdat"] {
                let milliseconds = row.values[name]?.base as? Int64 ?? 0
                element[name] = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
            }
            element["accc"] = "<SecAccessControlRef: \(row.values["pdmn"]?.base ?? "")>"
            element["musr"] = Data()
            element["tomb"] = 0
            if wanted.contains("r_Data") { element["sha1"] = Data(count: 20) }
        }
        if wanted.contains("r_Data"), let secret = row.secret { element["v_Data"] = secret }
        if wanted.contains("r_PersistentRef") { element["v_PersistentRef"] = row.reference }
        if wanted.contains("r_Ref") { element["class"] = row.itemClass }
        return element
    }

    /// Returns a value with its type in words. Equal values have equal words.
    private static func words(of value: Any?) -> String? {
        switch value {
        case nil: nil
        case let access as SecAccessControl: "text \(access)"
        case let text as String: "text \(text)"
        case let data as Data: "data \(Array(data))"
        case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
        case let number as NSNumber: "number \(number)"
        case let dictionary as [String: Any]:
            dictionary.keys.sorted().map { key in
                let value = key == "sha1" ? (dictionary[key] as? Data).map { $0.count as Any } : dictionary[key]
                return "\(key)=\(words(of: value) ?? "")"
            }.joined(separator: "; ")
        case let other?: "\(type(of: other))"
        }
    }
}
