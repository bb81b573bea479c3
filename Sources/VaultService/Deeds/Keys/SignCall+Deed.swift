package import AgentProtocol
internal import KeyKit
internal import Latchkey
package import SodiumKit

extension SignCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let scheme = algorithm.scheme(isRaw: isRaw)
        let message = try Visit.orEmpty(secret)
        guard let digest = Hexadecimal.bytes(digest) else {
            throw AgentError(.request, "\"digest\" is a text of hexadecimal digits, two for each byte")
        }
        let stored = try visit.privateKey(name, of: scheme.family)
        var input = digest
        if let count = algorithm.hash?.digestCount {
            if digest.count != count {
                throw AgentError(.key(.wrongDigestLength(expected: count, actual: digest.count)))
            }
            guard message.count == 0 else {
                throw AgentError(.request, "\(algorithm.rawValue) signs a digest, and no message beside it")
            }
        } else {
            guard digest.isEmpty else {
                throw AgentError(.request, "\(algorithm.rawValue) signs a message, and no digest of it")
            }
            input = message.withBytes { $0.withUnsafeBytes { Array($0) } }  // A message to sign is no secret.
        }
        switch try visit.use(stored, .sign(input, scheme), asked) {
        case .signature(let signature): return CallResult(Reply(signature))
        case .secret: throw AgentError(.agent, "the key \(name) gave no signature")
        }
    }
}
