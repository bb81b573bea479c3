internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText
internal import SodiumKit
internal import Synchronization

/// Has the credentials of requests to one server: each is a use of a loan.
final class ServerKeeper: LoanKeeper {
    private let lender: Lender
    private let loan: ServerLoan
    private var service: LoanService { lender.service }
    private let state = Mutex(State())

    /// A use that the agent has counted.
    private struct Counted: Hashable {
        var number: Int
        /// The connection that it was counted on. Another one has other numbers.
        var line: String
    }

    private struct State: Sendable {
        /// The uses that may still be given back, by their requests.
        var counted: [LoanUse: [Counted]] = [:]
        /// The uses that other requests may belong to, by their methods.
        var first: [String: Counted] = [:]
        var echoes = 0
        var courier: Courier?
    }

    /// The number of answers with the secret in them after which a loan ends.
    private static let mostEchoes = 3

    init(_ lender: Lender, _ loan: ServerLoan) { (self.lender, self.loan) = (lender, loan) }

    /// Has a lock, and the end of the loan, cut what a courier does.
    func serve(_ courier: Courier) {
        state.withLock { $0.courier = courier }
        lender.interrupting { [weak courier] in courier?.interrupt() }
    }

    func credential(for use: LoanUse, of request: CheckedRequest, in bytes: RawSpan) throws(LoanRefusal)
        -> LentCredential
    {
        // Requests of git were compared with its rules already.
        guard loan.git != nil || loan.allows(use.method, use.path) else {
            throw LoanRefusal(
                .notAllowed,
                "the profile \(lender.borrower) does not allow \(use.method) \(use.path) at \(service.name), so nothing was sent"
            )
        }
        do {
            if loan.form.scope != nil { return try sign(SignableRequest(use, request, in: bytes), for: use) }
            var secret = try lender.inTurn { (line) throws(AgentError) in try take(use, on: line) }
            guard let secret = secret.take() else { throw AgentError(.agent, "the agent sent no secret") }
            do { return LentCredential(value: try loan.form.value(of: secret), secret: secret) } catch {
                // Nothing is sent.
                notSent(use)
                throw error
            }
        } catch let error as AgentError {
            throw LoanRefusal(error, of: service)
        } catch let fault as SigningFault {
            throw LoanRefusal(.notAllowed, "\(service.name): \(fault)")
        } catch {
            throw LoanRefusal(.failed, "\(service.name): \(error)")
        }
    }

    private func take(_ use: LoanUse, on line: borrowing LoanLine) throws(AgentError) -> SecureBytes? {
        let former = takeFormer(of: use, on: line.id)
        let call = UseLoanCall(
            method: use.method, path: use.path, refs: use.refs, former: former, program: use.program)
        var answer = try line.ask(call)
        if answer.reply.number != former { note(Counted(number: answer.reply.number, line: line.id), of: use) }
        return answer.secret.take()
    }

    /// Returns the number of the use that a request belongs to. After the last request of them, no other belongs to it.
    private func takeFormer(of use: LoanUse, on line: String) -> Int? {
        state.withLock { state in
            let former: Counted? =
                switch use.part {
                case .alone, .first: nil
                case .following: state.first[use.method]
                case .last: state.first.removeValue(forKey: use.method)
                }
            return former?.line == line ? former?.number : nil
        }
    }

    /// Keeps the number of a use, so that it can be given back, and so that others can belong to it.
    private func note(_ counted: Counted, of use: LoanUse) {
        state.withLock { state in
            state.counted[use, default: []].append(counted)
            switch use.part {
            case .alone, .last: break
            case .first, .following: state.first[use.method] = counted
            }
        }
    }

    /// Returns the fields with the signature of a request. The secret stays in the agent.
    private func sign(_ request: SignableRequest, for use: LoanUse) throws -> LentCredential {
        let call = SignLoanCall(
            method: request.method, path: request.path, query: request.query,
            fields: request.fields.map { [$0.name, $0.value] }, program: use.program)
        var answer = try lender.inTurn { (line) throws(AgentError) in
            let answer = try line.ask(call)
            note(Counted(number: answer.reply.number, line: line.id), of: use)
            return answer
        }
        return try LentCredential(answer.reply, token: answer.secret.take(), of: request)
    }

    func sent(_ use: LoanUse, status: UInt16?, bytes: UInt64) { _ = takeCounted(of: use) }

    func notSent(_ use: LoanUse) {
        if let counted = takeCounted(of: use) { lender.giveBack(counted.number, on: counted.line) }
    }

    private func takeCounted(of use: LoanUse) -> Counted? {
        state.withLock { state in
            guard var counted = state.counted[use], let last = counted.popLast() else { return nil }
            state.counted[use] = counted.isEmpty ? nil : counted
            return last
        }
    }

    func echoed(_ use: LoanUse) {
        let (echoes, courier) = state.withLock { state in
            state.echoes += 1
            return (state.echoes, state.courier)
        }
        Output.complain(
            "\(loan.server.text) sent the secret of \(service.name) back, which was taken out of its answer")
        guard echoes >= Self.mostEchoes else { return }
        if echoes == Self.mostEchoes {
            Output.complain("that was answer \(echoes) with the secret in it, so \(service.name) is lent no more")
        }
        courier?.cut()
    }
}

extension LoanRefusal {
    /// The refusal of a use that the agent refused.
    init(_ error: AgentError, of service: LoanService) {
        self.init(Self.kind(of: error), "\(service.name): \(error.inCommandWords(for: service.item).message)")
    }

    private static func kind(of error: AgentError) -> Kind {
        switch error.kind {
        case .denied: .notAllowed
        case .locked, .dismissed, .wrong, .noTerminal: .notGranted
        case .notFound, .exists, .unavailable, .damaged, .request, .vault, .agent: .failed
        }
    }
}
