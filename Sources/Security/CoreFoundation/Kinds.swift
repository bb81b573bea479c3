// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

// What kind of thing a value is. The numbers mean nothing by themselves, there as here.

/// What kind of thing a value is; zero for one that has no name here.
public func CFGetTypeID(_ value: Any?) -> CFTypeID {
    guard let value = value.flatMap(unwrapped) else { return 0 }
    return switch value {
    case is SecAccessControl: SecAccessControlGetTypeID()
    case is SecKey: SecKeyGetTypeID()
    case is SecCertificate: SecCertificateGetTypeID()
    case is SecIdentity: SecIdentityGetTypeID()
    case is NSNull: CFNullGetTypeID()
    case _ where boolean(value) != nil: CFBooleanGetTypeID()
    case is String: CFStringGetTypeID()
    case is Data: CFDataGetTypeID()
    case is Date: CFDateGetTypeID()
    case is NSNumber: CFNumberGetTypeID()
    case is NSError: CFErrorGetTypeID()
    case is [AnyHashable: Any]: CFDictionaryGetTypeID()
    case is [Any]: CFArrayGetTypeID()
    default: 0
    }
}

/// The kind of nothing.
public func CFNullGetTypeID() -> CFTypeID { 1 }
/// The kind of texts.
public func CFStringGetTypeID() -> CFTypeID { 7 }
/// The kind of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }
/// The kind of lists.
public func CFArrayGetTypeID() -> CFTypeID { 19 }
/// The kind of bytes.
public func CFDataGetTypeID() -> CFTypeID { 20 }
/// The kind of yes and no.
public func CFBooleanGetTypeID() -> CFTypeID { 21 }
/// The kind of numbers.
public func CFNumberGetTypeID() -> CFTypeID { 22 }
/// The kind of errors.
public func CFErrorGetTypeID() -> CFTypeID { 27 }
/// The kind of moments.
public func CFDateGetTypeID() -> CFTypeID { 42 }

/// Returns true if two values are the same: of one kind, and alike. A text is the same as the `NSString` of it.
public func CFEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = left.flatMap(unwrapped), let right = right.flatMap(unwrapped) else { return false }
    let kind = CFGetTypeID(left)
    guard kind == CFGetTypeID(right) else { return false }
    return switch kind {
    case SecAccessControlGetTypeID(): left as? SecAccessControl == right as? SecAccessControl
    case CFNullGetTypeID(): true
    case CFBooleanGetTypeID(): boolean(left) == boolean(right)
    case CFStringGetTypeID(): left as? String == right as? String
    case CFDataGetTypeID(): left as? Data == right as? Data
    case CFDateGetTypeID(): left as? Date == right as? Date
    case CFNumberGetTypeID(): left as? NSNumber == right as? NSNumber
    case CFErrorGetTypeID(): left as? NSError == right as? NSError
    case CFDictionaryGetTypeID(): areAlike(left as? [AnyHashable: Any], right as? [AnyHashable: Any])
    case CFArrayGetTypeID(): areAlike(left as? [Any], right as? [Any])
    default: left as AnyObject === right as AnyObject
    }
}

private func areAlike(_ left: [AnyHashable: Any]?, _ right: [AnyHashable: Any]?) -> Bool {
    guard let left, let right, left.count == right.count else { return false }
    return left.allSatisfy { key, value in CFEqual(value, right[key]) }
}

private func areAlike(_ left: [Any]?, _ right: [Any]?) -> Bool {
    guard let left, let right, left.count == right.count else { return false }
    return zip(left, right).allSatisfy { CFEqual($0, $1) }
}

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

/// Yes or no, where the value is that and no number: the two are told apart as Core Foundation does.
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
