internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import SodiumKit
internal import Synchronization
internal import SystemServices
internal import UserPresence

/// The other end of a visit: it answers prompts, takes the parts of long answers, and may go.
protocol Visitor: AnyObject, Sendable {
    /// True if it is gone.
    var isGone: Bool { get }
    /// The user who answers the prompts of a request.
    var user: any DeviceUser { get }
    /// Takes a part of a long answer, in JSON.
    func take(part: [UInt8]) throws(AgentError)
    /// Shows the prompts of another request until that is over. Returns the error that it ended with.
    func show(_ user: ApprovingUser) -> AgentError?
}

/// One caller at the vault: a connection of a command, or one signature of SSH. Factors that its user gives count for its
/// requests, and for later ones of the same terminal session as far as ``KeptContexts`` keeps them.
final class Visit: Sendable {
    let agent: Agent
    let peer: Peer
    /// The program that prompts name.
    let caller: Peer.Program?
    /// The caller, as the keychain identifies it.
    let requester: Requester
    /// The process that calls; nil if the system does not know it.
    private let process: PeerProcess?
    /// The holder that the process belonged to when the visit began.
    private let firstHolder: Holder?
    /// False if a request counts as activity only if its user answered a prompt.
    private let putsOffLock: Bool
    private let prompts = Atomic(0)
    private let context = Mutex<HeldContext?>(nil)
    /// The evidence at the end of the last request that prompted.
    private let proved = Mutex<Context?>(nil)
    private let request = Mutex<(call: any Deed, asked: AskedRequest)?>(nil)

    /// Begins a visit of a process. `caller` is the program that prompts name. What its user proves counts for this visit alone,
    /// and nothing that was proved before counts for it, unless it `sharesAuthentications`.
    init(
        _ agent: Agent, _ peer: Peer, _ process: PeerProcess?, caller: Peer.Program?,
        sharesAuthentications: Bool = true, putsOffLock: Bool = true
    ) {
        (self.agent, self.peer, self.caller, self.process) = (agent, peer, caller, process)
        self.putsOffLock = putsOffLock
        var requester = Requester(peer.text, groups: [Agent.group])
        requester.program = peer.program
        requester.isRemote =
            process?.read { RemoteLogin.contains($0) || LoginSession.isRemote($0) } ?? true
        self.requester = requester
        firstHolder = sharesAuthentications ? process?.read { Holder(of: $0) } : nil
    }

    /// The holder of an authentication that this caller brings; nil if it counts for this visit alone.
    ///
    /// It is read each time. A process that has ended or left its session may have passed its connection on.
    var holder: Holder? {
        guard let firstHolder, process?.read({ Holder(of: $0) }) == firstHolder else { return nil }
        return firstHolder
    }

    // MARK: - What the user proved

    /// Returns the context that holds the factors which the user gave so far.
    func authenticationContext() throws(AgentError) -> KeychainContext { try heldContext().context }

    func heldContext() throws(AgentError) -> HeldContext {
        do throws(KeychainError) {
            if let context = context.withLock({ $0 }) { return context }
            let made = HeldContext(try agent.keychain.makeContext())
            context.withLock { $0 = made }
            return made
        } catch { throw AgentError(error) }
    }

    /// Ends the context of the visit. What was kept of it stays.
    func end() { context.withLock { $0 = nil } }

    /// The evidence that the user has given in this visit; nil if there is none yet.
    var evidence: Context? { context.withLock { $0 }.flatMap { try? $0.context.evidence } }

    /// Notes what the user has proved, at the end of a request that prompted.
    func noteEvidence() {
        let evidence = evidence
        proved.withLock { $0 = evidence }
    }

    /// Returns true if `evidence` is not from an earlier request.
    func isNew(_ evidence: Evidence) -> Bool { proved.withLock { $0?[evidence.factor] } != evidence }

    // MARK: - Requests

    /// The request that is being answered.
    var presentRequest: (call: any Deed, asked: AskedRequest)? { request.withLock { $0 } }

    /// The number of prompts so far.
    var promptCount: Int { prompts.load(ordering: .relaxed) }

    /// Counts a prompt, and returns its number.
    func countPrompt() -> Int { prompts.add(1, ordering: .relaxed).newValue }

    /// Does what the caller asks for. Every request comes through here, whatever door it comes by.
    func perform<Call: Deed>(
        _ call: Call, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Call.Reply> {
        agent.beginAnswer()
        defer { agent.endAnswer() }
        request.withLock { $0 = (call, asked) }
        defer { request.withLock { $0 = nil } }
        let usesVault = call.usesVault
        if usesVault && putsOffLock { agent.beginWork() }
        defer { if usesVault && putsOffLock { agent.endWork() } }
        let before = promptCount
        // A request that fails may have unlocked the vault before.
        defer { agent.events.tell(.used(mayHaveChanged: usesVault)) }
        do throws(AgentError) {
            let answer = try answer(call, asked, secret)
            if usesVault, !putsOffLock, promptCount != before { agent.noteActivity() }
            return answer
        } catch {
            throw agent.hasFailed ? agent.failure(error) : error
        }
    }
}

/// The members that any request may have, and the one who asks.
struct AskedRequest {
    /// True if the client may show prompts.
    let mayAsk: Bool
    /// The reason for prompts, in the client's words.
    let reason: String?
    let visitor: any Visitor

    init(mayAsk: Bool, reason: String? = nil, by visitor: any Visitor) {
        self.mayAsk = mayAsk
        self.reason = reason
        self.visitor = visitor
    }
}
