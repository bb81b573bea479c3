// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of errors that are an `OSStatus`.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain as CFErrorDomain

/// The number of an error.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Where an error comes from.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { error.domain as CFErrorDomain }

/// What else is known of an error.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as CFDictionary }

/// An error in words.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { error.localizedDescription as CFString }

/// Why it happened, where that is known.
public func CFErrorCopyFailureReason(_ error: CFError) -> CFString? { error.localizedFailureReason as CFString? }

extension NSError {
    /// The error that is this status, with Apple's text for it.
    convenience init(status: OSStatus) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: statusTexts[status] ?? "OSStatus \(status)"])
    }
}
