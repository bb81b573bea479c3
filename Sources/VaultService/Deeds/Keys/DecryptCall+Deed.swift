package import AgentProtocol
internal import KeyKit
package import SodiumKit

extension DecryptCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let scheme = algorithm.scheme
        let box = try Visit.orEmpty(secret)
        let stored = try visit.privateKey(name, of: scheme.family)
        let bytes = box.withBytes { $0.withUnsafeBytes { Array($0) } }  // A message that is encrypted is no secret.
        switch try visit.use(stored, .decrypt(bytes, scheme, EncryptionParameters()), asked) {
        case .signature: throw AgentError(.agent, "the key \(name) gave no message")
        case .secret(let message): return try visit.answer(message)
        }
    }
}
