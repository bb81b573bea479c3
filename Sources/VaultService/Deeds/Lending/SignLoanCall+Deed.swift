package import AgentProtocol
internal import Glibc
internal import HTTPWire
internal import Latchkey
internal import LoanRules
internal import SecretVault
package import SodiumKit

extension SignLoanCall: Deed {
    /// The field of the secret with the identifier of its key.
    private static let keyField = "access-key"
    /// The field of the secret with the token of a session.
    private static let tokenField = "session-token"
    /// The longest identifier of a key that AWS gives out.
    private static let longestKey = 128
    private static let longestToken = 8192

    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let loan = try visit.requireLoan()
        guard let scope = loan.scope, let server = loan.target.server else {
            throw AgentError(.request, "this loan gives out its secret and signs nothing: use `use-loan`")
        }
        let request = try signable()
        let use = UseLoanCall(method: method, path: path)
        let part = SecretPart.valueWith(fields: [Self.keyField, Self.tokenField], version: 0)
        var taken = try visit.use(loan, for: use, asked, reading: part)
        do {
            guard let bytes = taken.value.take(),
                let parts = SecretParts(bytes, fields: [Self.keyField, Self.tokenField])
            else { throw AgentError(.request, "there is no secret to sign with: the item is empty") }
            let time = SigningTime(secondsSince1970: Int64(Glibc.time(nil)))
            return try parts.withParts { value, fields in
                try Self.sign(request, to: server, at: time, in: scope, value.bytes, fields, of: loan, taken.number)
            }
        } catch {
            // Nothing was signed.
            loan.giveBack(taken.number)
            throw error as? AgentError ?? AgentError(.vault, "\(error)")
        }
    }

    /// Checks the request again: the lender is another process.
    private func signable() throws(AgentError) -> SignableRequest {
        var lines: [SignableField] = []
        for field in fields {
            guard field.count == 2 else { throw AgentError(.request, "a field has a name and a value") }
            lines.append(SignableField(field[0], field[1]))
        }
        do throws(SigningFault) {
            return try SignableRequest(method: method, path: path, query: query, fields: lines, hasBody: true)
        } catch { throw AgentError(.request, "\(error)") }
    }

    private static func sign(
        _ request: SignableRequest, to server: WireOrigin, at time: SigningTime, in scope: SigningScope,
        _ key: RawSpan, _ fields: [SecretBody.Field], of loan: Loan, _ number: Int
    ) throws -> CallResult<Reply> {
        let (identifier, token) = (fields[0].value, fields[1].value)
        guard 1...longestKey ~= identifier.count, identifier.allSatisfy(Self.isPlain) else {
            throw AgentError(
                .request,
                "\(loan.item) has no field \(keyField): save the identifier of its key with `latchkey edit \(loan.item) --field \(keyField)`"
            )
        }
        guard token.count <= longestToken, token.allSatisfy(Self.isPlain), key.byteCount > 0 else {
            throw AgentError(.request, "\(loan.item) is empty, or its field \(tokenField) is not one line of ASCII")
        }
        let authorization = try RequestSigner(to: server, in: scope, at: time).authorization(
            for: request, by: key, called: String(decoding: identifier, as: UTF8.self), token: token.bytes)
        return CallResult(
            Reply(number: number, authorization: authorization, date: time.text),
            secret: token.isEmpty ? nil : try token.guarded())
    }

    /// Returns true for a character that stands in a field as it is, and that no list of parts is divided by.
    private static func isPlain(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte && byte != UInt8(ascii: ",") }
}
