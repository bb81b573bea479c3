internal import Foundation

/// Returns the value inside any number of optionals and `AnyHashable`s; nil if there is none.
func unwrapped(_ value: Any) -> Any? {
    // Any hashable value can be cast to `AnyHashable`, so the test is whether it is stored as one.
    if type(of: value) == AnyHashable.self { return (value as? AnyHashable).flatMap { unwrapped($0.base) } }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.inside.flatMap(unwrapped)
}

/// Returns true if a value is an optional or an `AnyHashable`.
func isWrapped(_ value: Any) -> Bool { type(of: value) == AnyHashable.self || value is any OptionalValue }

private protocol OptionalValue {
    var inside: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var inside: Any? { map { $0 as Any } }
}

/// Returns the Boolean if the value is one and not a number. Core Foundation distinguishes the two.
func boolean(_ value: Any) -> Bool? {
    let kind = type(of: value)
    return kind == Bool.self || kind == bridgedBool ? value as? Bool : nil
}

private let bridgedBool: Any.Type = type(of: NSNumber(value: true))

/// Returns the text if the value is a `String` or an `NSString`; nil for anything else.
func text(_ value: Any) -> String? {
    // Apps use both, and these two tests are fast. A cast that also looks for other bridged types takes longer.
    if type(of: value) == String.self { return value as? String }
    if let text = value as? NSString { return text as String }
    return value as? String
}
