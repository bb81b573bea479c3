internal import Foundation

/// The entries of a dictionary. Every call reads one, and asking it for value after value takes longer than all the rest.
struct Entries: RandomAccessCollection {
    private let keys: [Any]
    private let values: [Any]

    init(of dictionary: CFDictionary) {
        keys = dictionary.allKeys
        let kind = type(of: dictionary)
        // Foundation's own classes give keys and values in one order, which a test holds them to; others may do as they like.
        values =
            kind == NSDictionary.self || kind == NSMutableDictionary.self
            ? dictionary.allValues : keys.map { dictionary.object(forKey: $0) ?? NSNull() }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { Swift.min(keys.count, values.count) }
    subscript(position: Int) -> (key: Any, value: Any) { (keys[position], values[position]) }
}

/// A text, whichever of the two kinds it is; nil for anything else.
func text(_ value: Any) -> String? {
    // Most are of the class, which is quickly seen; looking for what else could become a text takes longer.
    if let text = value as? NSString { return text as String }
    return value as? String
}
