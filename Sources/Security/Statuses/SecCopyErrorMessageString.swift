// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import ApplePlatform
public import Foundation
internal import Latchkey

/// Returns Apple's English text for a status, or its number if it has none. Returns nil unless `reserved` is nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    if reserved != nil { return nil }
    if status == errSecSuccess {
        let fidelity = CurrentKeychain.known?.keychain.fidelity
        return OSStatusCode.success.text(fidelity ?? Fidelity()) as CFString
    }
    return (statusTexts[status] ?? "OSStatus \(status)") as CFString
}
