// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of errors that are an `OSStatus`.
public let kCFErrorDomainOSStatus: CFErrorDomain = NSOSStatusErrorDomain

/// The domain of errors that are an `errno`.
public let kCFErrorDomainPOSIX: CFErrorDomain = NSPOSIXErrorDomain
/// The domain of Foundation's errors.
public let kCFErrorDomainCocoa: CFErrorDomain = NSCocoaErrorDomain
/// The key, in what else is known of an error, of the error in words.
public let kCFErrorLocalizedDescriptionKey: CFString = NSLocalizedDescriptionKey
/// The key of why it happened.
public let kCFErrorLocalizedFailureReasonKey: CFString = NSLocalizedFailureReasonErrorKey
/// The key of the error behind it.
public let kCFErrorUnderlyingErrorKey: CFString = NSUnderlyingErrorKey

/// An error of this domain and number.
public func CFErrorCreate(
    _ allocator: CFAllocator?, _ domain: CFErrorDomain, _ code: CFIndex, _ userInfo: CFDictionary?
) -> CFError! {
    NSError(domain: domain, code: code, userInfo: userInfo)
}

/// The number of an error.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Where an error comes from.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain { error.domain }

/// What else is known of an error.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo }

/// An error in words.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription }

/// Why it happened, where that is known.
public func CFErrorCopyFailureReason(_ error: CFError) -> CFString? { error.localizedFailureReason }

extension NSError {
    /// The error that is this status, with Apple's text for it.
    convenience init(status: OSStatus) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: statusTexts[status] ?? "OSStatus \(status)"])
    }
}
