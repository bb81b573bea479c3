import Foundation
import LocalAuthentication
import Security

/// The session's token, behind the fingers or faces that are enrolled when it is saved.
struct TokenStore {
    enum Failure: Error, Equatable {
        case accessControl
        case notFound
        case canceled
        case biometryChangedOrFailed
        case locked
        case unexpected(OSStatus)
    }

    var service = "com.example.app.token"
    var account = "session"

    private var identity: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    func save(_ token: String) throws {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, &error)
        else { throw Failure.accessControl }

        // Deleting never prompts. An update would ask for Face ID just to replace the token.
        SecItemDelete(identity as CFDictionary)

        var attributes = identity
        attributes[kSecAttrAccessControl as String] = access
        attributes[kSecValueData as String] = Data(token.utf8)
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status) }
    }

    func load(context: LAContext? = nil, reason: String = "Sign in") throws -> String {
        let context = context ?? LAContext()
        context.localizedReason = reason
        var query = identity
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecUseAuthenticationContext as String] = context

        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else { throw Failure(status) }
        guard let data = item as? Data, let token = String(data: data, encoding: .utf8) else { throw Failure.notFound }
        return token
    }

    /// True if there is a token. Reading this never prompts.
    var exists: Bool {
        let context = LAContext()
        context.interactionNotAllowed = true
        var query = identity
        query[kSecUseAuthenticationContext as String] = context
        switch SecItemCopyMatching(query as CFDictionary, nil) {
        case errSecSuccess, errSecInteractionNotAllowed: return true
        default: return false
        }
    }

    func remove() throws {
        let status = SecItemDelete(identity as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status) }
    }
}

extension TokenStore.Failure {
    init(_ status: OSStatus) {
        switch status {
        case errSecItemNotFound: self = .notFound
        case errSecUserCanceled: self = .canceled
        case errSecAuthFailed: self = .biometryChangedOrFailed
        case errSecInteractionNotAllowed: self = .locked
        default: self = .unexpected(status)
        }
    }
}

extension TokenStore.Failure: LocalizedError {
    var errorDescription: String? {
        switch self {
        case .unexpected(let status): SecCopyErrorMessageString(status, nil) as String? ?? "OSStatus \(status)"
        case .notFound: "Please sign in again."
        case .canceled: nil
        case .accessControl, .biometryChangedOrFailed, .locked: "The token cannot be read now."
        }
    }
}
