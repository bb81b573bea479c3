internal import AccessPolicy
package import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension CertificateCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard let id = try visit.certificate(of: visit.privateKey(name))?.id else {
            throw AgentError(
                .notFound, "the key \(name) has no certificate: store one with `latchkey key certificate \(name) FILE`")
        }
        let bytes = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.read(.id(id), by: visit.requester)
        }
        guard let bytes else { throw AgentError(.damaged, "the certificate of \(name) is empty: store it again") }
        return try visit.answer(bytes)
    }
}

extension SetCertificateCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let bytes = try Visit.orEmpty(secret)
        let stored = try visit.privateKey(name)
        let (certificate, attributes): (Certificate, Attributes)
        do throws(KeyError) {
            certificate = try bytes.withBytes { (bytes) throws(KeyError) in try Certificate(der: bytes) }
            attributes = try Attributes(of: certificate, named: certificate.summary ?? name)
        } catch { throw AgentError(.key(error)) }
        let hash = stored.description.attributes.bytes(.applicationLabel)
        guard attributes.bytes(.publicKeyHash) == hash else {
            throw AgentError(
                .request,
                "the certificate is for another key than \(name): its public key has the fingerprint "
                    + "\(Hexadecimal.text(attributes.bytes(.publicKeyHash))), and \(name) has \(Hexadecimal.text(hash))"
            )
        }
        let former = try visit.items(ItemQuery(.certificate, Attributes([.publicKeyHash: .data(hash)])))
        let (context, interaction) = try visit.context(asked)
        do throws(KeychainError) {
            _ = try visit.service.keychain.exchange(
                former.map { .id($0.id) }, for: NewItem(.certificate, attributes), secret: bytes, by: visit.requester,
                in: context, interaction: interaction)
        } catch {
            guard error.rule == .itemDuplicate else { throw AgentError(error) }
            throw AgentError(
                .exists,
                "a certificate with the same issuer and serial number is stored for another key: "
                    + "run `latchkey key list` to see which, and delete that key or get another certificate")
        }
        return CallResult()
    }
}
