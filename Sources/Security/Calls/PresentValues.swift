internal import Foundation

/// Returns the value itself, out of optionals; nil if it is nil or null.
func something(in value: Any) -> Any? {
    guard let value = unwrapped(value), !(value is NSNull) else { return nil }
    return value
}

/// Returns a value of any type. Throws if it is nil or null.
@discardableResult
func requireSomething(_ key: String, _ value: Any) throws(StatusError) -> Any {
    guard let inside = something(in: value) else { throw StatusError(errSecParam, "\(key) has no value") }
    return inside
}
