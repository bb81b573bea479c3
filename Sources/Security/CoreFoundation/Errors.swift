// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of errors that are an `OSStatus`.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain as CFErrorDomain

/// The domain of errors that are an `errno`.
public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain = NSPOSIXErrorDomain as CFErrorDomain
/// The domain of Foundation's errors.
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain = NSCocoaErrorDomain as CFErrorDomain
/// The key, in what else is known of an error, of the error in words.
public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString = NSLocalizedDescriptionKey as CFString
/// The key of why it happened.
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString =
    NSLocalizedFailureReasonErrorKey as CFString
/// The key of the error behind it.
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString = NSUnderlyingErrorKey as CFString

/// An error of this domain and number.
public func CFErrorCreate(
    _ allocator: CFAllocator?, _ domain: CFErrorDomain, _ code: CFIndex, _ userInfo: CFDictionary?
) -> CFError! {
    NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}

/// The number of an error.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Where an error comes from.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { error.domain as CFErrorDomain }

/// What else is known of an error.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo }

/// An error in words.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription as CFString }

/// Why it happened, where that is known.
public func CFErrorCopyFailureReason(_ error: CFError) -> CFString? { error.localizedFailureReason as CFString? }
