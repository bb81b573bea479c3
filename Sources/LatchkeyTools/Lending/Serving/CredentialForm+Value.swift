internal import AgentProtocol
internal import LoanRules
internal import SodiumKit

extension CredentialForm {
    /// Returns the value of the field that carries a secret.
    func value(of secret: borrowing SecureBytes) throws -> SecureBytes {
        let isOneLine = secret.withBytes { bytes in
            bytes.withUnsafeBytes { !$0.isEmpty && $0.allSatisfy { byte in 0x21...0x7E ~= byte } }
        }
        switch self {
        case .bearer:
            if isOneLine { return try Self.joined("Bearer ", secret) }
        case .field:
            if isOneLine { return try secret.copy() }
        case .basic(let user):
            if secret.count > 0 { return try Self.joined("Basic ", Self.joined("\(user):", secret).base64(.standard)) }
        case .signature: throw AgentError(.request, "the secret signs requests, and is never sent itself")
        }
        throw AgentError(
            .request,
            "the secret cannot be in a field of a request, because it is empty or has blanks, line ends or letters beyond ASCII"
        )
    }

    private static func joined(_ beginning: String, _ rest: borrowing SecureBytes) throws(SodiumError) -> SecureBytes {
        let first = Array(beginning.utf8)
        var whole = try SecureBytes(count: first.count + rest.count)
        whole.withMutableBytes { target in
            target.copyBytes(from: first)
            rest.withBytes { bytes in
                bytes.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[first.count...]).copyMemory(from: $0)
                }
            }
        }
        return whole
    }
}
