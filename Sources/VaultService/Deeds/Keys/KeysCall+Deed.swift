package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension KeysCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var certificates: [[UInt8]: String] = [:]
        _ = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(of: ItemQuery(.certificate), by: visit.requester) { stored in
                certificates[stored.description.attributes.bytes(.publicKeyHash)] = Entry(stored).name
            }
        }
        var entries: [KeyEntry] = []
        let keys = ItemQuery(.key, Attributes([.keyClass: .number(1)]))
        let (locked, damaged) = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(of: keys, by: visit.requester) { stored in
                let hash = stored.description.attributes.bytes(.applicationLabel)
                entries.append(KeyEntry(stored, certificate: certificates[hash]))
            }
        }
        entries.sort { $0.name < $1.name }
        try send(entries, asked)
        return CallResult(Reply(count: entries.count, locked: locked, damaged: damaged))
    }
}
