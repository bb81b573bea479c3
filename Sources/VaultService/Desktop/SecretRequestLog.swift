internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The latest requests of programs of the desktop, in memory.
final class SecretRequestLog: Sendable {
    private let requests = Mutex<[SecretRequest]>([])
    private static let most = 200

    /// The requests, the latest last.
    var latest: [SecretRequest] { requests.withLock { $0 } }

    func note(
        _ program: String, _ name: String, _ outcome: SecretRequest.Outcome, _ rule: SecretRules.Rule?,
        _ detail: String? = nil
    ) {
        var request = SecretRequest()
        (request.program, request.name, request.outcome) = (program, name, outcome)
        (request.rule, request.detail) = (rule?.text, detail)
        request.time = Int(SystemClock.since1970.seconds)
        requests.withLock { requests in
            requests.append(request)
            if requests.count > Self.most { requests.removeFirst(requests.count - Self.most) }
        }
    }
}
