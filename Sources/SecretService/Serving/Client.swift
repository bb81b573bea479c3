internal import SystemServices

/// A connection that has called, with everything that belongs to it and ends with it.
final class Client {
    private let link: BusLink
    /// The caller, as the store knows it.
    let caller: SecretCaller
    /// The work that can prompt.
    let asks: Lane
    /// The work that cannot, which never waits for a prompt.
    let errands: Lane
    /// The open sessions, by the last part of their paths.
    var sessions: [String: SessionCipher] = [:]
    /// The prompts that were not completed, likewise.
    var prompts: [String: PromptObject] = [:]
    /// The requests of the portal that were not answered, by their paths. Another connection can use the same paths.
    var portalRequests: [String: PortalRequest] = [:]

    init(_ caller: SecretCaller, _ link: BusLink, _ store: any SecretStore, _ threads: Threads) {
        (self.caller, self.link) = (caller, link)
        asks = Lane(link, store, caller, threads)
        errands = Lane(link, store, caller, Threads(threads.errands))
    }

    /// The number of calls that were not answered.
    var count: Int { asks.count + errands.count + portalRequests.count }

    func session(at path: String) throws(CallError) -> SessionCipher {
        guard case .session(let name)? = ObjectPath(path), let session = sessions[name] else { throw .noSession }
        return session
    }

    /// Gives up all work.
    func abandon() {
        asks.abandon()
        errands.abandon()
        // The lanes of the portal belong to apps, and other connections can have work there.
        for request in portalRequests.values { request.lane.abandon(request.work) }
        for prompt in prompts.values { if let expiry = prompt.expiry { link.cancel(timer: expiry) } }
        (sessions, prompts, portalRequests) = ([:], [:], [:])
    }
}

/// A prompt, from the call that got its path to the signal `Completed`.
final class PromptObject {
    /// The work that the prompt does.
    let kind: Work.Kind
    /// The result that `Completed` has if the prompt is dismissed. Its type is that of a success: libsecret hangs if it is another.
    let dismissed: BusValue
    /// Returns the result that `Completed` has; nil if the prompt counts as dismissed.
    let result: (WorkResult) -> BusValue?
    /// The work, once the caller has started the prompt.
    var work: Work?
    /// The timer that ends the prompt if the caller does not start it.
    var expiry: UInt64?

    init(_ kind: Work.Kind, dismissed: BusValue, result: @escaping (WorkResult) -> BusValue?) {
        (self.kind, self.dismissed, self.result) = (kind, dismissed, result)
    }
}
