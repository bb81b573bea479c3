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
        // No prompt for what no card does.
        if stored.description.attributes.card != nil { try CardKeys.check(operation) }
        let action = EnclaveKey(stored) == nil ? Action.readData : operation.action
        let (locks, wasUnlocked) = (service.locks, service.keychain.isUnlocked)
        let result = try perform(action, on: .id(stored.id), asked) {
            (_, requester, context, interaction) throws(KeychainError) in
            try open(stored, for: operation, by: requester, in: context, interaction)
        }
        return try finish(operation, with: stored, result, asked, sinceLock: locks, wasUnlocked: wasUnlocked)
    }

    /// Signs with a key that a loan lends, which is a use of it. A use that made no signature is given back.
    func sign(
        _ operation: KeyOperation, with stored: StoredItem, lentBy loan: Loan, _ asked: AskedRequest
    ) throws(AgentError) -> (number: Int, signature: [UInt8]) {
        // No prompt for what no card does.
        if stored.description.attributes.card != nil { try CardKeys.check(operation) }
        let (locks, wasUnlocked) = (service.locks, service.keychain.isUnlocked)
        var lent: StoredItem?
        let taken = try use(loan, for: UseLoanCall(), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            lent = item
            return try open(item, for: operation, by: requester, in: context, interaction)
        }
        let number = taken.number
        do throws(AgentError) {
            guard let lent else { throw .loanIsOver }
            switch try finish(
                operation, with: lent, taken.value, asked, sinceLock: locks, wasUnlocked: wasUnlocked)
            {
            case .signature(let signature): return (number, signature)
            case .secret: throw AgentError(.agent, "the key \(loan.item) gave no signature")
            }
        } catch {
            loan.giveBack(number)
            throw error
        }
    }

    /// Has the vault use a key that is in the enclave, and reads any other key.
    func open(
        _ stored: StoredItem, for operation: KeyOperation, by requester: Requester, in context: KeychainContext,
        _ interaction: Interaction
    ) throws(KeychainError) -> OpenedKey {
        guard let key = EnclaveKey(stored) else {
            return .bytes(
                try service.keychain.read(
                    .id(stored.id), by: requester, in: context, interaction: interaction))
        }
        return .output(
            try service.keychain.perform(
                operation, with: key, by: requester, in: context, interaction: interaction))
    }

    /// Carries out an operation with a key that was opened. `locks` and `wasUnlocked` are of the time before that.
    func finish(
        _ operation: KeyOperation, with stored: StoredItem, _ opened: consuming OpenedKey, _ asked: AskedRequest,
        sinceLock locks: Int, wasUnlocked: Bool
    ) throws(AgentError) -> KeyOutput {
        let bytes: SecureBytes?
        switch consume opened {
        case .output(let output): return output
        case .failed(let error): throw AgentError(.key(error))
        case .bytes(let read): bytes = read
        }
        guard let bytes, let family = stored.description.attributes.keyType?.family else {
            throw AgentError(.key(.unsupportedType))
        }
        if stored.description.attributes.card != nil {
            let isOpen = wasUnlocked || service.keychain.isUnlocked
            return try service.cards.perform(operation, with: CardKeySecret.read(bytes), publicKey(of: stored)) {
                obstacle(asked, sinceLock: locks, wasUnlocked: isOpen)
            }
        }
        do throws(KeyError) {
            return try PrivateKey(trusted: bytes, family).perform(operation)
        } catch { throw AgentError(.key(error)) }
    }
}

/// A private key whose policy was satisfied.
enum OpenedKey: ~Copyable {
    /// The result of a key in the enclave, which never leaves the vault.
    case output(KeyOutput)
    /// The bytes of any other key.
    case bytes(SecureBytes?)
    /// The operation failed on its input.
    case failed(KeyError)
}
