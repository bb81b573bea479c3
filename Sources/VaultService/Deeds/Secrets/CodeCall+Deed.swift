package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SecretTools
package import SodiumKit
internal import Synchronization

/// A code is a read, and by a counter also a change. Each prompts and counts as that request does by itself.
extension CodeCall: Deed {
    /// The time to wait for other requests that count, in milliseconds.
    private static let patience: Int32 = 10_000

    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        do {
            switch try codeByTime(visit, asked) {
            case .some(let answer): return answer
            case .none: return CallResult(secret: try codeByCounter(visit, asked))
            }
        } catch let error as AgentError { throw error } catch { throw AgentError(.request, "\(name): \(error)") }
    }

    /// Returns the code of the present period; nil if the secret counts.
    private func codeByTime(_ visit: Visit, _ asked: AskedRequest) throws -> CallResult<Reply>? {
        let held = try read(visit, asked)
        let seed = try held.text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
        guard let (number, left) = seed.period(at: Int64(time(nil))) else { return nil }
        return CallResult(Reply(secondsLeft: Int(clamping: left)), secret: try seed.code(number))
    }

    /// Returns the code of the counter, after the next one is saved. Requests that do this at a time take turns, so that none
    /// gets the code of another.
    private func codeByCounter(_ visit: Visit, _ asked: AskedRequest) throws -> SecureBytes {
        try takeTurn(visit, asked)
        defer { visit.service.namesThatCount.withLock { _ = $0.remove(name) } }
        // Read again: another request may have counted before it was this one's turn.
        let held = try read(visit, asked)
        let seed = try held.text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
        guard case .counter(let counter) = seed.kind else { throw OneTimeCodeError.noCounter }
        let next = try held.text.withBytes { (text) throws(OneTimeCodeError) in try seed.withNextCounter(in: text) }
        let room = try visit.service.budget.share(of: next.count)
        defer { withExtendedLifetime(room) {} }
        let code = try seed.code(counter)
        try requireClient(asked)
        // The former counter is no former version: codes that have been used must not come back.
        _ = try visit.perform(EditPartCall(name, EditPartCall.Change(amends: true)), asked, next)
        return code
    }

    /// Waits until no other request counts for this secret.
    private func takeTurn(_ visit: Visit, _ asked: AskedRequest) throws(AgentError) {
        let deadline = Deadline(Self.patience)
        while !visit.service.namesThatCount.withLock({ $0.insert(name).inserted }) {
            try requireClient(asked)
            guard deadline.left > 1 else {
                throw AgentError(
                    .unavailable,
                    "another `latchkey otp` has been counting for a while, perhaps at a prompt: end it, or try again")
            }
            usleep(10_000)
        }
    }

    /// Throws if the client has ended, so that the code would be lost.
    private func requireClient(_ asked: AskedRequest) throws(AgentError) {
        if asked.visitor.isGone { throw AgentError(.dismissed, "the program that asked has ended") }
    }

    /// A secret that was read, with its room in the memory for secrets.
    private struct Held: ~Copyable {
        let text: SecureBytes
        let room: SecretBudget.Share?
    }

    private func read(_ visit: Visit, _ asked: AskedRequest) throws -> Held {
        var read = try visit.perform(ReadCall(name), asked, nil)
        let text = try Visit.orEmpty(read.secret.take())
        let room = try visit.service.budget.share(of: text.count)
        return Held(text: text, room: room)
    }
}
