public import Foundation

// On Apple's platforms a `CFString` and the `String` of it are one key, so `result[kSecAttrAccount]` finds what lies under "acct" in
// any `[AnyHashable: Any]`, and what an app compares with a constant is alike or not whichever kind it has. Foundation for Linux
// leaves the two apart, and would have such code find nothing.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The text that this is, as a key and to be compared: the same as the `String` of it.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
