public import Foundation

// On Apple's platforms a `CFString` and the equal `String` are one key: `result[kSecAttrAccount]` finds the value under
// "acct" in any `[AnyHashable: Any]`. Foundation for Linux keeps the two apart, so such code would find nothing.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// Returns the equal `String` as the key that dictionaries and comparisons use.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
