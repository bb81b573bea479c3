internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
package import LinuxSystem
internal import LoanRules
package import SodiumKit
internal import Synchronization
internal import SystemServices
package import UserPresence

/// The other end of a visit: it answers prompts, takes the parts of long answers, and may go.
package protocol Visitor: AnyObject, Sendable {
    /// True if it is gone.
    var isGone: Bool { get }
    /// The user who answers the prompts of a request.
    var user: any DeviceUser { get }
    /// Takes a part of a long answer, in JSON.
    func take(part: [UInt8]) throws(AgentError)
    /// Shows the prompts of another request until that is over. Returns the error that it ended with.
    func show(_ user: ApprovingUser) -> AgentError?
    /// Ends the connection, from any thread, and waits for nothing.
    func cut()
}

/// One caller at the vault: a connection of a command, one signature of SSH, or one call of a program of the desktop. Factors that its
/// user gives count for its requests, and for later ones as far as ``KeptContexts`` keeps them.
package final class Visit: Sendable {
    package let service: VaultService
    package let peer: Peer
    /// The program that prompts name.
    let caller: Peer.Program?
    /// The caller, as the keychain identifies it.
    let requester: Requester
    /// The process whose holder keeps what the user proves; nil if the system does not know it, or if nothing is kept for it.
    private let process: PeerProcess?
    /// The holder that the process belonged to when the visit began.
    private let firstHolder: Holder?
    /// False if a request counts as activity only if its user authenticated.
    private let putsOffLock: Bool
    private let prompts = Atomic(0)
    private let proves = Atomic(false)
    private let context = Mutex<HeldContext?>(nil)
    /// The evidence at the end of the last request that prompted.
    private let proved = Mutex<Context?>(nil)
    private let request = Mutex<(call: any Deed, asked: AskedRequest)?>(nil)
    /// The secret that is lent over this connection.
    private let lent = Mutex<Loan?>(nil)
    /// The words for the message that a key which is lent signs or decrypts now.
    private let message = Mutex<String?>(nil)

    /// Begins a visit of a process. `caller` is the program that prompts name. What its user proves counts for this visit alone,
    /// and nothing that was proved before counts for it, unless it `sharesAuthentications`.
    package init(
        _ service: VaultService, _ peer: Peer, _ process: PeerProcess?, caller: Peer.Program?,
        sharesAuthentications: Bool = true, putsOffLock: Bool = true
    ) {
        (self.service, self.peer, self.caller, self.putsOffLock) = (service, peer, caller, putsOffLock)
        self.process = sharesAuthentications ? process : nil
        requester = Self.requester(peer, isRemote: process?.read(Self.isRemote) ?? true)
        firstHolder = self.process?.read { Holder(of: $0) }
    }

    /// Begins a visit for one call of a program of the desktop. Only its user puts off the lock, and not the program that goes on
    /// calling.
    init(_ service: VaultService, of program: DesktopProgram) {
        (self.service, peer, caller) = (service, program.peer, program.peer.client)
        (process, firstHolder, putsOffLock) = (nil, nil, false)
        requester = Self.requester(program.peer, isRemote: program.isRemote)
    }

    private static func requester(_ peer: Peer, isRemote: Bool) -> Requester {
        var requester = Requester(peer.text, groups: [VaultService.group])
        requester.program = peer.program
        requester.isRemote = isRemote
        return requester
    }

    /// Returns true if a process works for a user at another machine.
    static func isRemote(_ process: Int32) -> Bool { RemoteLogin.contains(process) || LoginSession.isRemote(process) }

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
            let made = HeldContext(try service.keychain.makeContext())
            context.withLock { $0 = made }
            return made
        } catch { throw AgentError(error) }
    }

    /// Ends the context of the visit. What was kept of it stays.
    package func end() {
        context.withLock { $0 = nil }
        if let loan { service.loans.forget(loan) }
    }

    /// The secret that is lent over this connection; nil if none is.
    var loan: Loan? { lent.withLock { $0 } }

    /// Begins a loan, which ends with the visit.
    func begin(_ call: LendCall, for target: LoanTarget, to visitor: any Visitor) throws(AgentError) -> Loan {
        if loan != nil { throw AgentError(.request, "this connection lends a secret already") }
        let loan = try service.loans.begin(call, for: target, to: visitor)
        lent.withLock { $0 = loan }
        return loan
    }

    /// The words for the message that a key which is lent signs or decrypts now, for its prompt; nil if there is none.
    var lentMessage: String? {
        get { message.withLock { $0 } }
        set { message.withLock { $0 = newValue } }
    }

    func requireLoan() throws(AgentError) -> Loan {
        guard let loan else { throw AgentError(.request, "nothing is lent over this connection") }
        return loan
    }

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
    var presentRequest: (call: any Deed, asked: AskedRequest)? {
        get { request.withLock { $0 } }
        set { request.withLock { $0 = newValue } }
    }

    /// The number of prompts so far.
    package var promptCount: Int { prompts.load(ordering: .relaxed) }

    /// Counts a prompt, and returns its number.
    @discardableResult
    package func countPrompt() -> Int { prompts.add(1, ordering: .relaxed).newValue }

    /// True if the user has authenticated in the present request.
    var hasAuthenticated: Bool { proves.load(ordering: .relaxed) }

    /// Notes that the user has authenticated in the present request.
    func noteAuthentication() { proves.store(true, ordering: .relaxed) }

    /// Runs what the caller asks for, whatever door it came by: `user` answers its prompts, and the parts of the service hear when it
    /// is done. `mayHaveChanged` says if it may have changed items.
    func serve<Failure: Error>(
        usesVault: Bool, mayHaveChanged: Bool, asking user: any DeviceUser, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        service.beginAnswer()
        defer { service.endAnswer() }
        proves.store(false, ordering: .relaxed)
        if usesVault && putsOffLock { service.beginWork() }
        defer { if usesVault && putsOffLock { service.endWork() } }
        // A request that fails may have unlocked the vault before.
        defer {
            if usesVault, !putsOffLock, hasAuthenticated { service.noteActivity() }
            service.events.tell(.used(mayHaveChanged: mayHaveChanged))
        }
        try Keychain.asking(user, body)
    }

    /// Does what the caller asks for, if that is one of the requests to an agent.
    package func perform<Call: Deed>(
        _ call: Call, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Call.Reply> {
        let usesVault = call.usesVault
        var given = consume secret
        var answer = CallResult<Call.Reply>()
        do throws(AgentError) {
            try serve(
                usesVault: usesVault, mayHaveChanged: usesVault,
                asking: asked.mayAsk ? asked.visitor.user : NoUser()
            ) { () throws(AgentError) in
                answer = try self.answer(call, asked, given.take())
            }
            return answer
        } catch {
            throw service.hasFailed ? service.failure(error) : error
        }
    }
}

/// The members that any request may have, and the visitor that asks.
package struct AskedRequest {
    /// True if the client may show prompts.
    let mayAsk: Bool
    /// True if its user unlocks the vault first where the request needs that.
    let unlocks: Bool
    /// The reason for prompts, in the client's words.
    let reason: String?
    let visitor: any Visitor

    package init(mayAsk: Bool, unlocks: Bool = false, reason: String? = nil, by visitor: any Visitor) {
        self.mayAsk = mayAsk
        self.unlocks = unlocks && mayAsk
        self.reason = reason
        self.visitor = visitor
    }
}
