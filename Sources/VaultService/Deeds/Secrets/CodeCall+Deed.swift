package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SecretTools
package import SodiumKit

/// A code is a read, and by a counter also a change. Each prompts and counts as that request does by itself.
extension CodeCall: Deed {
    /// The time to wait for other requests that count, in milliseconds.
    private static let patience: Int32 = 10_000

    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let text = try text(visit, asked)
        do {
            let seed = try text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
            if let (number, left) = seed.period(at: Int64(time(nil))) {
                return CallResult(Reply(secondsLeft: Int(clamping: left)), secret: try seed.code(number))
            }
            return CallResult(secret: try codeByCounter(visit, asked))
        } catch let error as AgentError { throw error } catch { throw AgentError(.request, "\(name): \(error)") }
    }

    /// Returns the code of the counter, after the next one is saved. Requests that do this at a time take turns, so that none
    /// gets the code of another.
    private func codeByCounter(_ visit: Visit, _ asked: AskedRequest) throws -> SecureBytes {
        let turn = try turn(in: visit.service.place.vault)
        defer { close(turn) }
        // Read again: another request may have counted before it was this one's turn.
        let text = try text(visit, asked)
        let seed = try text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
        guard case .counter(let counter) = seed.kind else { throw OneTimeCodeError.noCounter }
        let next = try text.withBytes { (text) throws(OneTimeCodeError) in try seed.withNextCounter(in: text) }
        let code = try seed.code(counter)
        // The former counter is no former version: codes that have been used must not come back.
        _ = try visit.perform(EditPartCall(name, EditPartCall.Change(amends: true)), asked, next)
        return code
    }

    /// Waits until no other request counts, and returns a descriptor that keeps the turn until it is closed.
    ///
    /// The vault locks its folder and the file `lock` for every change. So the turn is a lock on the file of the device.
    private func turn(in vault: String) throws(AgentError) -> Int32 {
        let path = vault + "/device"
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        let deadline = Deadline(Self.patience)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let error = SystemError.last
            guard [EINTR, EWOULDBLOCK].contains(error.code), deadline.left > 1 else {
                close(file)
                if error.code != EWOULDBLOCK { throw AgentError(.vault, "\(path): \(error)") }
                throw AgentError(
                    .unavailable,
                    "another `latchkey otp` has been counting for a while, perhaps at a prompt: end it, or try again")
            }
            usleep(10_000)
        }
        return file
    }

    private func text(_ visit: Visit, _ asked: AskedRequest) throws(AgentError) -> SecureBytes {
        var read = try visit.perform(ReadCall(name), asked, nil)
        return try Visit.orEmpty(read.secret.take())
    }
}
