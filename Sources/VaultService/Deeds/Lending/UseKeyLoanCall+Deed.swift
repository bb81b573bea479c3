package import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import LoanRules
internal import SecretVault
package import SodiumKit

extension UseKeyLoanCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let loan = try visit.requireLoan()
        guard loan.target == .signatures || loan.target == .decryptions else {
            throw AgentError(
                .request, "this loan gives no signatures and no decryptions: it is for \(loan.target.words)")
        }
        let message = try Visit.orEmpty(secret)
        guard 1...WireLimits.typed ~= message.count else {
            throw AgentError(
                .request,
                "a key that is lent takes a message of 1 to \(WireLimits.typed) bytes, and this one has \(message.count)"
            )
        }
        let stored = try visit.lent(loan.item, for: loan.target)
        guard let family = stored.description.attributes.keyType?.family else {
            throw AgentError(.key(.unsupportedType))
        }
        // A message to sign is no secret, and neither is one that is encrypted.
        let bytes = message.withBytes { $0.withUnsafeBytes { Array($0) } }
        let operation =
            loan.target == .signatures
            ? try signature(of: bytes, family) : try decryption(of: bytes, family, named: loan.item)
        // No prompt for what no card does.
        if stored.description.attributes.card != nil { try CardKeys.check(operation) }
        visit.lentMessage =
            "Message: \(bytes.count) bytes with the SHA-256 \(SHA256.hexadecimal(bytes.span.bytes))"
        defer { visit.lentMessage = nil }
        return try use(operation, visit, loan, asked)
    }

    private func use(
        _ operation: KeyOperation, _ visit: Visit, _ loan: Loan, _ asked: AskedRequest
    ) throws(AgentError) -> CallResult<Reply> {
        let (locks, wasUnlocked) = (visit.service.locks, visit.service.keychain.isUnlocked)
        var lent: StoredItem?
        let taken = try visit.use(loan, for: UseLoanCall(method: "", path: ""), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            lent = item
            do throws(KeychainError) {
                return try visit.open(item, for: operation, by: requester, in: context, interaction)
            } catch {
                // A message on which the key fails is a use: it was tried.
                if case .key(let fault) = error { return OpenedKey.failed(fault) }
                throw error
            }
        }
        let number = taken.number
        guard let lent else { throw .loanIsOver }
        switch try visit.finish(
            operation, with: lent, taken.value, asked, sinceLock: locks, wasUnlocked: wasUnlocked)
        {
        case .signature(let signature): return CallResult(Reply(number: number, signature: signature))
        case .secret(let message): return CallResult(Reply(number: number), secret: message)
        }
    }

    /// Returns the operation that signs a message, which is hashed here if the algorithm signs a digest.
    private func signature(of message: [UInt8], _ family: KeyFamily) throws(AgentError) -> KeyOperation {
        let chosen = try algorithm.map { (name) throws(AgentError) in
            guard let algorithm = SignatureAlgorithm(rawValue: name), algorithm.family == family else {
                throw Self.otherAlgorithm(SignatureAlgorithm.allCases.filter { $0.family == family }.map(\.rawValue))
            }
            return algorithm
        }
        let algorithm = chosen ?? .usual(for: family)
        let scheme = algorithm.scheme(isRaw: isRaw)
        guard let hash = algorithm.hash else { return .sign(message, scheme) }
        do throws(KeyError) {
            var digest = try RunningDigest(.standard(hash))
            try digest.add(message.span.bytes)
            return .sign(try digest.finish(), scheme)
        } catch { throw AgentError(.key(error)) }
    }

    private func decryption(
        of message: [UInt8], _ family: KeyFamily, named name: String
    ) throws(AgentError) -> KeyOperation {
        let known = EncryptionAlgorithm.allCases.filter { $0.family == family }
        let chosen = try algorithm.map { (name) throws(AgentError) in
            guard let algorithm = known.first(where: { $0.rawValue == name }) else {
                throw Self.otherAlgorithm(known.map(\.rawValue))
            }
            return algorithm
        }
        guard let algorithm = chosen ?? .usual(for: family) else { throw AgentError.signsOnly(name) }
        return .decrypt(message, algorithm.scheme, EncryptionParameters())
    }

    private static func otherAlgorithm(_ known: [String]) -> AgentError {
        AgentError(
            .request, "this key has no such algorithm: leave \"algorithm\" out, or use \(known.joined(separator: ", "))"
        )
    }
}

extension Visit {
    /// Throws if a key cannot be used for a purpose, before anything is asked.
    func requireKeyUse(of item: StoredItem, named name: String, for target: LoanTarget) throws(AgentError) {
        guard target == .decryptions else { return }
        let attributes = item.description.attributes
        let algorithm = attributes.keyType.flatMap { EncryptionAlgorithm.usual(for: $0.family) }
        if algorithm == nil || attributes.card != nil { throw AgentError.signsOnly(name) }
    }
}

extension AgentError {
    fileprivate static func signsOnly(_ name: String) -> AgentError {
        AgentError(.request, "the key \(name) only signs: lend its signatures, or another key")
    }
}
