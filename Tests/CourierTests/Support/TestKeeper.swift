import Courier
import HTTPWire
import SodiumKit
import Synchronization

/// A keeper that lends a canary, and notes what it is told.
final class TestKeeper: LoanKeeper {
    /// A call of the courier.
    enum Note: Hashable {
        case asked(LoanUse)
        case sent(UInt16?, UInt64)
        case notSent
        case echoed
    }

    /// The secret. It has characters that are escaped in URLs.
    static let canary = "sk-canary/7f3a+91c4d2e8b6"

    private let log: Mutex<[Note]> = Mutex([])
    private let value: String
    private let secret: String
    private let answer: @Sendable (LoanUse) throws(LoanRefusal) -> Void
    /// Returns a credential that is computed from the request.
    typealias Signing = @Sendable (CheckedRequest, RawSpan) throws(LoanRefusal) -> LentCredential
    private let signing: Signing?

    init(
        value: String = "Bearer " + canary, secret: String = canary,
        _ answer: @escaping @Sendable (LoanUse) throws(LoanRefusal) -> Void = { _ in }
    ) {
        self.value = value
        self.secret = secret
        signing = nil
        self.answer = answer
    }

    /// Creates a keeper whose credentials are computed.
    init(signing: @escaping Signing) {
        (value, secret, answer) = ("", "", { _ in })
        self.signing = signing
    }

    var notes: [Note] { log.withLock { $0 } }

    private func note(_ note: Note) { log.withLock { $0.append(note) } }

    func credential(for use: LoanUse, of request: CheckedRequest, in bytes: RawSpan) throws(LoanRefusal)
        -> LentCredential
    {
        note(.asked(use))
        try answer(use)
        if let signing { return try signing(request, bytes) }
        do throws(SodiumError) {
            return LentCredential(value: try SecureBytes(value), secret: try SecureBytes(secret))
        } catch { throw LoanRefusal(.failed, "No memory is left.") }
    }

    func sent(_ use: LoanUse, status: UInt16?, bytes: UInt64) { note(.sent(status, bytes)) }
    func notSent(_ use: LoanUse) { note(.notSent) }
    func echoed(_ use: LoanUse) { note(.echoed) }
}
