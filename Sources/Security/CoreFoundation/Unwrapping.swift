internal import Foundation

/// A value that may lie in optionals, or in what makes it hashable, out of them; nil where there is none in them.
func unwrapped(_ value: Any) -> Any? {
    // Whatever is hashable could be cast so: what counts is that it lies in one.
    if type(of: value) == AnyHashable.self { return (value as? AnyHashable).flatMap { unwrapped($0.base) } }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.inside.flatMap(unwrapped)
}

/// Returns true if a value lies in an optional, or in what makes it hashable.
func isWrapped(_ value: Any) -> Bool { type(of: value) == AnyHashable.self || value is any OptionalValue }

private protocol OptionalValue {
    var inside: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var inside: Any? { map { $0 as Any } }
}

/// Returns yes or no if the value is that and no number. Core Foundation distinguishes the two.
func boolean(_ value: Any) -> Bool? {
    let kind = type(of: value)
    return kind == Bool.self || kind == bridgedBool ? value as? Bool : nil
}

private let bridgedBool: Any.Type = type(of: NSNumber(value: true))

/// A text, whichever of the two kinds it is; nil for anything else.
func text(_ value: Any) -> String? {
    // Apps use both, and each is quickly seen; looking for what else could become a text takes longer.
    if type(of: value) == String.self { return value as? String }
    if let text = value as? NSString { return text as String }
    return value as? String
}
