import Foundation
import LocalAuthentication
import Security

// Short forms of the facts' dictionaries. `genp("a").data.all` asks for the data of all generic passwords of account a,
// and `genp("a").holding("x")` is one to store.

func genp(_ account: String? = nil, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
    var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
    if let account { query[kSecAttrAccount] = account }
    return query.with(more)
}

func inet(_ account: String? = nil, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
    genp(account, more).with([kSecClass: kSecClassInternetPassword])
}

func cert(_ more: [CFString: Any] = [:]) -> [CFString: Any] { [kSecClass: kSecClassCertificate].with(more) }

func key(_ more: [CFString: Any] = [:]) -> [CFString: Any] { [kSecClass: kSecClassKey].with(more) }

/// A query for the item with this reference.
func item(_ reference: Data) -> [CFString: Any] { [kSecValuePersistentRef: reference] }

/// An access control that Apple's call has created.
func access(
    _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
) -> SecAccessControl {
    guard let access = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
        preconditionFailure("there is no access control \(flags.rawValue)")
    }
    return access
}

extension [CFString: Any] {
    func with(_ more: [CFString: Any]) -> [CFString: Any] { merging(more) { $1 } }
    func without(_ names: CFString...) -> [CFString: Any] { filter { !names.contains($0.key) } }

    func holding(_ secret: String) -> [CFString: Any] { with([kSecValueData: Data(secret.utf8)]) }
    func under(_ protection: CFString) -> [CFString: Any] { with([kSecAttrAccessible: protection]) }
    func guarded(
        by flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> [CFString: Any] {
        with([kSecAttrAccessControl: access(flags, protection)])
    }
    func of(_ group: String) -> [CFString: Any] { with([kSecAttrAccessGroup: group]) }
    func within(_ context: LAContext) -> [CFString: Any] { with([kSecUseAuthenticationContext: context]) }

    var data: [CFString: Any] { with([kSecReturnData: true]) }
    var attributes: [CFString: Any] { with([kSecReturnAttributes: true]) }
    var reference: [CFString: Any] { with([kSecReturnPersistentRef: true]) }
    var object: [CFString: Any] { with([kSecReturnRef: true]) }
    var all: [CFString: Any] { with([kSecMatchLimit: kSecMatchLimitAll]) }
    func upTo(_ count: Int) -> [CFString: Any] { with([kSecMatchLimit: count]) }

    var syncing: [CFString: Any] { with([kSecAttrSynchronizable: true]) }
    var local: [CFString: Any] { with([kSecAttrSynchronizable: false]) }
    var anySync: [CFString: Any] { with([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) }

    var failing: [CFString: Any] { with([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) }
    var skipping: [CFString: Any] { with([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) }
}
