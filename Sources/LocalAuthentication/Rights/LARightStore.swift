internal import AccessPolicy
public import Foundation
package import Latchkey
internal import SecretVault
internal import SodiumKit

/// The store of rights, each with a private key in the Secure Enclave that only a user who meets its requirement can
/// use, and with a secret that only that user can read.
public final class LARightStore: NSObject, Sendable {
    /// The store of this app.
    public static let shared = LARightStore()

    private override init() {}

    /// Returns the right that was saved under this identifier.
    ///
    /// - Throws: An ``LAError`` if there is none.
    public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
        LAPersistedRight(identifier, try await onKeychain { try RightItem.stored($0, identifier) })
    }

    /// Saves a right without a secret.
    @discardableResult
    public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
        try await saveRight(right, identifier: identifier, secret: Data())
    }

    /// Saves a right with a secret.
    @discardableResult
    public func saveRight(_ right: LARight, identifier: String, secret: Data) async throws -> LAPersistedRight {
        let requirement = right.requirement
        try await onKeychain { try RightItem.store($0, identifier, requirement, secret) }
        return LAPersistedRight(identifier, requirement)
    }

    /// Removes a right together with its secret.
    public func removeRight(_ right: LAPersistedRight) async throws {
        try await removeRight(forIdentifier: right.identifier)
    }

    /// Removes the right that was saved under this identifier.
    public func removeRight(forIdentifier identifier: String) async throws {
        try await onKeychain { keychain in
            // The key goes even if the secret is gone, as after a change of the enrolled set.
            try RightKey(identifier: identifier).delete(from: keychain)
            try keychain.delete(RightItem.query(identifier), by: RightItem.requester(keychain))
        }
    }

    /// Removes all rights of the app.
    public func removeAllRights() async throws {
        try await onKeychain { keychain in
            try RightKey.deleteAll(from: keychain)
            do throws(KeychainError) {
                try keychain.delete(RightItem.query(nil), by: RightItem.requester(keychain))
            } catch {
                if error.rule != .itemNotFound { throw error }
            }
        }
    }

    private func onKeychain<Value: Sendable>(
        _ body: @escaping @Sendable (Keychain) throws -> Value
    ) async throws -> Value {
        do {
            return try await CurrentKeychain.of(call: "LARightStore").keychain.asynchronously(body)
        } catch let error as KeychainError {
            throw LAError(error)
        }
    }
}

/// A saved right.
public final class LAPersistedRight: LARight {
    let identifier: String

    init(_ identifier: String, _ requirement: LAAuthenticationRequirement) {
        self.identifier = identifier
        super.init(requirement: requirement)
    }

    /// The private key that was generated when the right was saved.
    public var key: LAPrivateKey { LAPrivateKey(self) }

    /// The secret that was saved with the right.
    public var secret: LASecret { LASecret(self) }

    /// The context in which the right was authorized.
    ///
    /// - Throws: An ``LAError`` unless the right is authorized.
    var authorizedContext: KeychainContext {
        get throws {
            guard let context else {
                throw LAError(.authenticationFailed, because: "the right is not authorized: authorize it first")
            }
            return context
        }
    }

    // Opening the secret meets the requirement, so a change of the enrolled set since the right was saved counts.
    override nonisolated(nonsending) func authenticated(because reason: String) async throws -> KeychainContext {
        let identifier = identifier
        return try await CurrentKeychain.of(call: "LARight.authorize").keychain.asynchronously { keychain in
            let context = try keychain.makeContext()
            context.words.reason = reason
            _ = try RightItem.read(keychain, identifier, context)
            return context
        }
    }

    override func preflight(on keychain: Keychain) throws(KeychainError) -> Decision {
        try keychain.decision(
            .readData, RightItem.reference(keychain, identifier), by: RightItem.requester(keychain))
    }
}

/// The secret of a saved right.
public final class LASecret: NSObject {
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) { self.right = right }

    /// The bytes of the secret. Reading it never prompts.
    ///
    /// - Throws: An ``LAError`` unless the right is authorized.
    public nonisolated(nonsending) var rawData: Data {
        get async throws {
            let context = try right.authorizedContext
            do {
                // A lock ends the authentication, and only `authorize` may prompt for it again.
                let secret = try RightItem.read(
                    CurrentKeychain.of(call: "LASecret.rawData").keychain, right.identifier, context, interaction: .fail
                )
                return switch consume secret {
                case .some(let secret): secret.withBytes { $0.withUnsafeBytes { Data($0) } }
                case .none: Data()
                }
            } catch {
                throw LAError(error)
            }
        }
    }
}

extension Requester {
    /// The requester for the rights of this app. They lie in a group of their own, which no query of the app searches.
    package var ofRights: Requester {
        var requester = Requester(name, groups: ["com.apple.LARightStore/" + usualGroup], app: app)
        requester.isInBackground = isInBackground
        return requester
    }
}

/// The password items that rights are stored as.
enum RightItem {
    static func requester(_ keychain: Keychain) -> Requester { keychain.requester.ofRights }

    static func query(_ identifier: String?) -> ItemQuery {
        ItemQuery(.genericPassword, identifier.map { Attributes([.account: .string($0)]) } ?? [:])
    }

    static func reference(_ keychain: Keychain, _ identifier: String) -> ItemReference {
        keychain.password(account: identifier, service: "", by: requester(keychain))
    }

    static func store(
        _ keychain: Keychain, _ identifier: String, _ requirement: LAAuthenticationRequirement, _ secret: Data
    ) throws {
        let item = NewItem(
            .genericPassword,
            Attributes([
                .account: .string(identifier), .service: .string(""), .description: .string(requirement.kind.rawValue),
            ]), requirement.policy)
        try keychain.add(item, secret: SecureBytes(copying: secret.bytes), by: requester(keychain))
        do {
            try RightKey(identifier: identifier).generate(on: keychain, requirement)
        } catch {
            // The app has to know why there is no key, also if the secret cannot be deleted again.
            try? keychain.delete(reference(keychain, identifier), by: requester(keychain))
            throw error
        }
    }

    static func stored(_ keychain: Keychain, _ identifier: String) throws -> LAAuthenticationRequirement {
        let item = try keychain.inventory(reference(keychain, identifier), by: requester(keychain))
        guard case .string(let kind)? = item.description.attributes[.description],
            let kind = LAAuthenticationRequirement.Kind(rawValue: kind)
        else { throw LAError(.authenticationFailed, because: "the item saved as \(identifier) is not a right") }
        return LAAuthenticationRequirement(kind)
    }

    static func read(
        _ keychain: Keychain, _ identifier: String, _ context: KeychainContext, interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecureBytes? {
        try keychain.read(
            reference(keychain, identifier), by: requester(keychain), in: context, interaction: interaction)
    }
}
