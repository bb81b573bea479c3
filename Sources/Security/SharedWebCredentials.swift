// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import Latchkey
internal import SodiumKit

// Passwords that an app shares with web sites. Sharing takes the entitlement for associated domains, which no app here
// has, so the calls answer as an app without it gets them answered (semantics 2.14).

/// Shares a password with a web site, or with nil removes it.
///
/// It calls `completionHandler` on another thread, with ``errSecParam`` if `fqdn` or `account` is empty, and otherwise
/// with ``errSecMissingEntitlement``.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?, _ completionHandler: @escaping (CFError?) -> Void
) {
    let isSound = fqdn.length > 0 && account.length > 0
    reply { completionHandler(NSError(status: isSound ? errSecMissingEntitlement : errSecParam)) }
}

/// Looks for passwords that the user shares between a web site and the app.
///
/// It calls `completionHandler` on another thread. Without `fqdn`, or if a name is empty, the error is ``errSecParam``.
/// Otherwise there are no credentials, and the error is ``errSecItemNotFound``.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) {
    // Without a domain, the call takes the first associated one, and there is none.
    let isSound = (fqdn?.length ?? 0) > 0 && account?.length != 0
    reply {
        if isSound {
            completionHandler(CFArray(), NSError(status: errSecItemNotFound))
        } else {
            completionHandler(nil, NSError(status: errSecParam))
        }
    }
}

/// Calls `completion` on another thread, on which the keychain of the caller is current.
private func reply(_ completion: @escaping () -> Void) {
    // It is called once, on the other thread, and nothing here uses it afterwards.
    nonisolated(unsafe) let completion = completion
    let current = CurrentKeychain.known
    DispatchQueue.global().async {
        if let current { current.whileCurrent(completion) } else { completion() }
    }
}

/// Creates a random password: four groups of three characters, such as "uTq-2Vb-xKe-8mR".
///
/// It contains a lowercase letter, an uppercase letter and a digit, and none of the characters that are easily confused.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    let (lower, upper) = (Array("abcdefghkmnopqrstuvwxyz".utf8), Array("ABCDEFGHJKLMNPQRSTUVWXYZ".utf8))
    let digits = Array("3456789".utf8)
    let all = lower + upper + Array("2".utf8) + digits
    while true {
        let drawn = (0..<12).map { _ in all[Sodium.uniform(below: all.count)] }
        // A password without one of the three kinds is drawn again as a whole, so that all others are equally likely.
        guard [lower, upper, digits].allSatisfy({ $0.contains(where: drawn.contains) }) else { continue }
        let groups = stride(from: 0, to: 12, by: 3).map { String(decoding: drawn[$0..<$0 + 3], as: UTF8.self) }
        return groups.joined(separator: "-") as CFString
    }
}
