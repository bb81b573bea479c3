internal import AccessPolicy
package import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension GenerateKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let policy = policy ?? visit.service.settings.policy
        if inEnclave && type != .p256 {
            throw AgentError(.request, "the enclave has only keys of the type p256, and no \(type.rawValue)")
        }
        try visit.addKey(name) { () throws(AgentError) in
            if inEnclave { return try generateInEnclave(policy, visit, asked) }
            let key: PrivateKey
            do throws(KeyError) { key = try PrivateKey.generate(type.type) } catch { throw AgentError(.key(error)) }
            try visit.store(Visit.bytes(of: key), of: key.publicKey, as: name, policy, asked)
        }
        return try CallResult(visit.key(name))
    }

    private func generateInEnclave(
        _ policy: ItemPolicy, _ visit: Visit, _ asked: AskedRequest
    ) throws(AgentError) {
        var policy = policy
        policy.flags.insert(.privateKeyUsage)
        let attributes = Attributes([.label: .string(name), .applicationTag: .string(name)])
        var item = NewItem(.key, attributes, try policy.control())
        item.allowsReuse = policy.allowsReuse
        let (context, interaction) = try visit.context(asked)
        _ = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.generateKey(item, by: visit.requester, in: context, interaction: interaction)
        }
    }
}
