import Foundation
import LocalAuthentication
import Security

// The dictionaries of the facts, in few words: `genp("a").data.all` asks for the data of all generic passwords of the account
// a, and `genp("a").holding("x")` is one to be stored.

func genp(_ account: String? = nil, _ more: [String: Any] = [:]) -> [String: Any] {
    var query: [String: Any] = [kSecClass: kSecClassGenericPassword]
    if let account { query[kSecAttrAccount] = account }
    return query.with(more)
}

func inet(_ account: String? = nil, _ more: [String: Any] = [:]) -> [String: Any] {
    genp(account, more).with([kSecClass: kSecClassInternetPassword])
}

func cert(_ more: [String: Any] = [:]) -> [String: Any] { [kSecClass: kSecClassCertificate].with(more) }

func key(_ more: [String: Any] = [:]) -> [String: Any] { [kSecClass: kSecClassKey].with(more) }

/// What is known by this reference.
func item(_ reference: Data) -> [String: Any] { [kSecValuePersistentRef: reference] }

/// An access control that Apple's call has made.
func access(
    _ flags: SecAccessControlCreateFlags, _ protection: String = kSecAttrAccessibleWhenUnlocked
) -> SecAccessControl {
    guard let access = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
        preconditionFailure("there is no access control \(flags.rawValue)")
    }
    return access
}

extension [String: Any] {
    func with(_ more: [String: Any]) -> [String: Any] { merging(more) { $1 } }
    func without(_ names: String...) -> [String: Any] { filter { !names.contains($0.key) } }

    func holding(_ secret: String) -> [String: Any] { with([kSecValueData: Data(secret.utf8)]) }
    func under(_ protection: String) -> [String: Any] { with([kSecAttrAccessible: protection]) }
    func guarded(
        by flags: SecAccessControlCreateFlags, _ protection: String = kSecAttrAccessibleWhenUnlocked
    ) -> [String: Any] {
        with([kSecAttrAccessControl: access(flags, protection)])
    }
    func of(_ group: String) -> [String: Any] { with([kSecAttrAccessGroup: group]) }
    func within(_ context: LAContext) -> [String: Any] { with([kSecUseAuthenticationContext: context]) }

    var data: [String: Any] { with([kSecReturnData: true]) }
    var attributes: [String: Any] { with([kSecReturnAttributes: true]) }
    var reference: [String: Any] { with([kSecReturnPersistentRef: true]) }
    var object: [String: Any] { with([kSecReturnRef: true]) }
    var all: [String: Any] { with([kSecMatchLimit: kSecMatchLimitAll]) }
    func upTo(_ count: Int) -> [String: Any] { with([kSecMatchLimit: count]) }

    var syncing: [String: Any] { with([kSecAttrSynchronizable: true]) }
    var local: [String: Any] { with([kSecAttrSynchronizable: false]) }
    var anySync: [String: Any] { with([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) }

    var failing: [String: Any] { with([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) }
    var skipping: [String: Any] { with([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) }
}
