package import AgentProtocol
internal import Latchkey
internal import SSHProtocol
internal import SecretVault
package import SodiumKit

extension RemoveKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (context, interaction) = try visit.context(asked)
        let stored = try visit.privateKey(name)
        // Without its public half, the key may stay on the list of SSH clients. It is of no use there.
        let blob = (try? visit.publicKey(of: stored)).map { SSHPublicKey($0).blob }
        var former = [stored]
        if let half = try visit.publicItem(of: stored) { former.append(half) }
        // Another name may have the same key.
        let hash = AttributeValue.data(stored.description.attributes.bytes(.applicationLabel))
        if try visit.items(ItemQuery(.key, Attributes([.applicationLabel: hash, .keyClass: .number(1)]))).count == 1 {
            former += try visit.items(ItemQuery(.certificate, Attributes([.publicKeyHash: hash])))
        }
        for item in former {
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.delete(.id(item.id), by: visit.requester, in: context, interaction: interaction)
            }
        }
        if let blob { _ = try? visit.service.sshKeys.remove { $0.blob == blob } }
        return CallResult()
    }
}
