internal import Foundation

extension NSDictionary {
    /// The entries as a Swift dictionary. Unlike a cast, this converts no value, and so it ends for a dictionary that
    /// contains itself.
    var entries: CFDictionary {
        let pairs = zip(allKeys, allValues).map { key, value in (key as? AnyHashable ?? AnyHashable(NSNull()), value) }
        return CFDictionary(pairs) { first, _ in first }
    }
}
