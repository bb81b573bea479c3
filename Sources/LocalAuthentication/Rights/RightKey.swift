internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault
internal import Security

/// The private key of a saved right: an item in the Secure Enclave, in the group of the rights.
struct RightKey: Sendable {
    let identifier: String

    /// The name of Apple's that all calls on such a key begin at.
    private static let name = "LAPersistedRight.key"

    /// Generates the key. If a former right with this identifier left one, it replaces that.
    func generate(on keychain: Keychain, _ requirement: LAAuthenticationRequirement) throws(KeychainError) {
        try delete(from: keychain)
        let item = NewItem(
            .key, Attributes([.applicationTag: tag, .label: .string(identifier)]), requirement.keyPolicy)
        _ = try keychain.generateKey(item, by: RightItem.requester(keychain))
    }

    /// Deletes the key, if there is one.
    func delete(from keychain: Keychain) throws(KeychainError) {
        try Self.delete(ItemQuery(.key, Attributes([.applicationTag: tag])), from: keychain)
    }

    static func deleteAll(from keychain: Keychain) throws(KeychainError) {
        try delete(ItemQuery(.key), from: keychain)
    }

    private static func delete(_ query: ItemQuery, from keychain: Keychain) throws(KeychainError) {
        do {
            try keychain.delete(query, by: RightItem.requester(keychain))
        } catch {
            if error.rule != .itemNotFound { throw error }
        }
    }

    /// Returns true if the key supports an algorithm; false as well if there is no key.
    func supports(_ algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType) -> Bool {
        guard let key = try? find(on: CurrentKeychain.of(call: Self.name).keychain, in: nil) else { return false }
        switch operation {
        case .encrypt, .verify:
            return SecKeyCopyPublicKey(key).map { SecKeyIsAlgorithmSupported($0, operation, algorithm) } ?? false
        default: return SecKeyIsAlgorithmSupported(key, operation, algorithm)
        }
    }

    /// Runs `operation` with the private key, in the context in which the right was authorized. It never prompts.
    ///
    /// - Throws: The error that `operation` reports; an ``LAError`` if there is no key.
    nonisolated(nonsending) func use(
        in context: KeychainContext?,
        _ operation: @escaping @Sendable (SecKey, inout Unmanaged<CFError>?) -> CFData?
    ) async throws -> Data {
        do {
            return try await CurrentKeychain.of(call: Self.name).keychain.asynchronously { keychain in
                guard let key = try find(on: keychain, in: context) else {
                    throw LAError(.authenticationFailed, because: "the right saved as \(identifier) has no key")
                }
                var error: Unmanaged<CFError>?
                if let result = operation(key, &error) { return result as Data }
                throw error?.takeRetainedValue() ?? LAError(.authenticationFailed, because: "the key failed")._nsError
            }
        } catch let error as KeychainError {
            throw LAError(error)
        }
    }

    private func find(on keychain: Keychain, in context: KeychainContext?) throws(KeychainError) -> SecKey? {
        let requester = RightItem.requester(keychain)
        let query = ItemQuery(.key, Attributes([.applicationTag: tag]), wanted: .reference)
        let found: [FoundEntry]
        do {
            found = try keychain.find(query, by: requester, interaction: .fail)
        } catch {
            if error.rule == .itemNotFound { return nil }
            throw error
        }
        guard let entry = found.first, let key = try keychain.enclaveKey(entry.id, by: requester) else { return nil }
        return SecKey(ofRight: key, on: keychain, by: requester, in: context)
    }

    private var tag: AttributeValue { .data(Array(identifier.utf8)) }
}
