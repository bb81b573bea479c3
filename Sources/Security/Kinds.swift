// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

// Type identifiers. As on Apple's platforms, the numbers mean nothing by themselves.

/// Returns the type identifier of a value; zero if its type has none here.
public func CFGetTypeID(_ value: Any?) -> CFTypeID {
    guard let value = value.flatMap(unwrapped) else { return 0 }
    return switch value {
    case is SecAccessControl: SecAccessControlGetTypeID()
    case is SecKey: SecKeyGetTypeID()
    case is SecCertificate: SecCertificateGetTypeID()
    case is SecIdentity: SecIdentityGetTypeID()
    case is SecPolicy: SecPolicyGetTypeID()
    case is SecTrust: SecTrustGetTypeID()
    case is NSNull: CFNullGetTypeID()
    case _ where boolean(value) != nil: CFBooleanGetTypeID()
    case is String: CFStringGetTypeID()
    case is Data: CFDataGetTypeID()
    case is Date: CFDateGetTypeID()
    case is NSNumber: CFNumberGetTypeID()
    case is NSError: CFErrorGetTypeID()
    case is [AnyHashable: Any]: CFDictionaryGetTypeID()
    case is [Any]: CFArrayGetTypeID()
    case is CFSet: CFSetGetTypeID()
    default: 0
    }
}

/// Returns the type identifier of `CFNull`.
public func CFNullGetTypeID() -> CFTypeID { 1 }
/// Returns the type identifier of `CFString`.
public func CFStringGetTypeID() -> CFTypeID { 7 }
/// Returns the type identifier of `CFSet`.
public func CFSetGetTypeID() -> CFTypeID { 17 }
/// Returns the type identifier of `CFDictionary`.
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }
/// Returns the type identifier of `CFArray`.
public func CFArrayGetTypeID() -> CFTypeID { 19 }
/// Returns the type identifier of `CFData`.
public func CFDataGetTypeID() -> CFTypeID { 20 }
/// Returns the type identifier of `CFBoolean`.
public func CFBooleanGetTypeID() -> CFTypeID { 21 }
/// Returns the type identifier of `CFNumber`.
public func CFNumberGetTypeID() -> CFTypeID { 22 }
/// Returns the type identifier of `CFError`.
public func CFErrorGetTypeID() -> CFTypeID { 27 }
/// Returns the type identifier of `CFDate`.
public func CFDateGetTypeID() -> CFTypeID { 42 }

/// Returns true if two values have the same type and are equal. A `String` equals an `NSString` with the same text.
public func CFEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = left.flatMap(unwrapped), let right = right.flatMap(unwrapped) else { return false }
    let kind = CFGetTypeID(left)
    guard kind == CFGetTypeID(right) else { return false }
    return switch kind {
    case SecAccessControlGetTypeID(): left as? SecAccessControl == right as? SecAccessControl
    case SecKeyGetTypeID(): left as? SecKey == right as? SecKey
    case SecCertificateGetTypeID(): left as? SecCertificate == right as? SecCertificate
    case SecIdentityGetTypeID(): left as? SecIdentity == right as? SecIdentity
    case SecPolicyGetTypeID(): left as? SecPolicy == right as? SecPolicy
    case CFNullGetTypeID(): true
    case CFBooleanGetTypeID(): boolean(left) == boolean(right)
    case CFStringGetTypeID(): left as? String == right as? String
    case CFDataGetTypeID(): left as? Data == right as? Data
    case CFDateGetTypeID(): left as? Date == right as? Date
    case CFNumberGetTypeID(): left as? NSNumber == right as? NSNumber
    case CFErrorGetTypeID(): left as? NSError == right as? NSError
    case CFDictionaryGetTypeID(): areAlike(left as? [AnyHashable: Any], right as? [AnyHashable: Any])
    case CFArrayGetTypeID(): areAlike(left as? [Any], right as? [Any])
    case CFSetGetTypeID(): left as? CFSet == right as? CFSet
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
