internal import AccessPolicy
internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

// Using private keys, under their access policies. A key in the enclave is used inside the vault. The bytes of any other
// are read as a secret is, used here, and wiped: no client ever gets them. For a key on a card these are its place and its PIN.

extension Visit {
    /// Returns the private key of a name, which has to be of this family. It never prompts, so that no user
    /// authenticates for an operation that cannot be done.
    func privateKey(_ name: String, of family: KeyFamily) throws(AgentError) -> StoredItem {
        let stored = try privateKey(name)
        guard let type = stored.description.attributes.keyType else { throw AgentError(.key(.unsupportedType)) }
        guard type.family == family else { throw AgentError(.key(.unsupportedScheme(type))) }
        return stored
    }

    /// Carries out an operation with a stored key.
    func use(
        _ stored: StoredItem, _ operation: KeyOperation, _ asked: AskedRequest
    ) throws(AgentError) -> KeyOutput {
        let key = EnclaveKey(stored)
        let card = stored.description.attributes.card
        // No prompt for what no card does.
        if card != nil { try CardKeys.check(operation) }
        let action = key == nil ? Action.readData : operation.action
        let keychain = service.keychain
        if let key {
            return try perform(action, on: .id(stored.id), asked) {
                (_, requester, context, interaction) throws(KeychainError) in
                try keychain.perform(operation, with: key, by: requester, in: context, interaction: interaction)
            }
        }
        let locks = service.locks
        let wasUnlocked = keychain.isUnlocked
        let bytes = try perform(action, on: .id(stored.id), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.read(item, by: requester, in: context, interaction: interaction)
        }
        guard let bytes, let family = stored.description.attributes.keyType?.family else {
            throw AgentError(.key(.unsupportedType))
        }
        if card != nil {
            let isOpen = wasUnlocked || keychain.isUnlocked
            return try service.cards.perform(operation, with: CardKeySecret.read(bytes), publicKey(of: stored)) {
                obstacle(asked, sinceLock: locks, wasUnlocked: isOpen)
            }
        }
        do throws(KeyError) {
            return try PrivateKey(trusted: bytes, family).perform(operation)
        } catch { throw AgentError(.key(error)) }
    }
}
