// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of errors whose code is an `OSStatus`.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain as CFErrorDomain

/// The domain of errors whose code is an `errno`.
public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain = NSPOSIXErrorDomain as CFErrorDomain
/// The domain of Foundation's errors.
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain = NSCocoaErrorDomain as CFErrorDomain
/// The user-info key for the description of an error.
public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString = NSLocalizedDescriptionKey as CFString
/// The user-info key for the reason of an error.
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString =
    NSLocalizedFailureReasonErrorKey as CFString
/// The user-info key for the error that caused this one.
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString = NSUnderlyingErrorKey as CFString

/// Creates an error with this domain, code and user info.
public func CFErrorCreate(
    _ allocator: CFAllocator?, _ domain: CFErrorDomain, _ code: CFIndex, _ userInfo: CFDictionary?
) -> CFError! {
    NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}

/// Returns the code of an error.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Returns the domain of an error.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { error.domain as CFErrorDomain }

/// Returns the user info of an error.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo }

/// Returns the description of an error.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription as CFString }

/// Returns the reason of an error; nil if it has none.
public func CFErrorCopyFailureReason(_ error: CFError) -> CFString? { error.localizedFailureReason as CFString? }
