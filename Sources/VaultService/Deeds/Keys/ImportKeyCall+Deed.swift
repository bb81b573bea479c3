package import AgentProtocol
internal import KeyKit
internal import Latchkey
package import SodiumKit

extension ImportKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let policy = policy ?? visit.service.settings.policy
        let bytes = try Visit.orEmpty(secret)
        try visit.addKey(name) { () throws(AgentError) in
            let key: PrivateKey
            do throws(KeyError) {
                let read = try PrivateKey(externalRepresentation: bytes, family.family)
                guard read.type.isStrong else { throw .unsupportedType }
                key = read
            } catch { throw AgentError(.key(error)) }
            try visit.store(Visit.bytes(of: key), of: key.publicKey, as: name, policy, asked)
        }
        return try CallResult(visit.key(name))
    }
}
