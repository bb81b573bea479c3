internal import AgentProtocol
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import SodiumKit
internal import Synchronization
internal import ToolProtocol

/// The loans of a sandbox as a coding agent in it sees them, and the approvals that it asks for ahead of uses.
final class LoanTools: LoanDesk {
    private let lent: [(lender: Lender, asks: LoanAsking)]
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The requests, by their names.
        var requests: [String: Request] = [:]
        /// Their names, the oldest first.
        var names: [String] = []
        var last = 0
    }

    private struct Request: Sendable {
        let service: String
        let isOver: Signal
        var state: DeskState
    }

    /// The most requests that are remembered.
    private static let most = 64

    init(_ lent: [(lender: Lender, asks: LoanAsking)]) { self.lent = lent }

    func services() -> [DeskService] {
        let entries = lent.first?.lender.listed() ?? []
        return lent.map { lent in
            let service = lent.lender.service
            return DeskService(
                name: service.name, does: "\(service.words), at $\(service.addressVariable)", rules: service.rules,
                asks: lent.asks.word,
                approval: lent.asks == .eachLease ? lent.lender.left(in: entries).map(DeskApproval.init) : nil)
        }
    }

    func request(_ wish: DeskWish) -> DeskState {
        guard let (lender, asks) = lent.first(where: { $0.lender.service.name == wish.service }) else {
            return .unknown
        }
        let service = lender.service
        switch asks {
        case .never: return .approved(DeskApproval(usesLeft: nil, secondsLeft: nil))
        case .eachUse: return .refused("Its owner is asked at each use. Use \(service.name), and wait for the answer.")
        case .eachLease: break
        }
        guard service.isAskedAhead else {
            return .refused("Nothing is approved ahead here. Use \(service.name), and wait for the answer.")
        }
        if let left = lender.left(in: lender.listed()) { return .approved(DeskApproval(left)) }
        do throws(WishFault) {
            return begin(lender, try Self.call(wish, at: service))
        } catch { return .refused(error.words) }
    }

    /// The reason why nothing is asked.
    private struct WishFault: Error {
        let words: String
    }

    /// Returns the request for an approval. Its prompt names no use that the profile does not allow.
    private static func call(_ wish: DeskWish, at service: LoanService) throws(WishFault) -> UseLoanCall {
        guard case .requests(let loan) = service.uses else {
            return UseLoanCall(ahead: "", path: "", claim: wish.reason)
        }
        if let git = loan.git {
            guard let verb = wish.verb else { return UseLoanCall(ahead: "", path: git.path, claim: wish.reason) }
            guard git.rules.contains(where: { $0.verb.rawValue == verb }) else {
                throw WishFault(words: "The profile has no rule \(Terminal.name(verb)) at \(service.name).")
            }
            var call = UseLoanCall(ahead: verb == "fetch" ? verb : "push", path: git.path, claim: wish.reason)
            if verb != "fetch" { call.refs = git.refs }
            return call
        }
        switch (wish.verb, wish.target) {
        case (nil, nil): return UseLoanCall(ahead: "", path: "", claim: wish.reason)
        case (let method?, let path?):
            // A rule with a star takes every word for a method, and no request has a blank in its path.
            guard isPlain(method), isPlain(path), loan.allows(method, path) else {
                throw WishFault(
                    words:
                        "The profile does not allow \(Terminal.line(method)) \(Terminal.line(path)) at \(service.name)."
                )
            }
            return UseLoanCall(ahead: method, path: path, claim: wish.reason)
        default: throw WishFault(words: "Name both the verb and the target that you need, or neither.")
        }
    }

    private static func isPlain(_ word: String) -> Bool { word.utf8.allSatisfy { 0x21...0x7E ~= $0 } }

    /// Begins to ask the owner, unless a request for the service waits already.
    private func begin(_ lender: Lender, _ call: UseLoanCall) -> DeskState {
        let service = lender.service.name
        let (name, isNew) = state.withLock { state in
            let waiting = state.names.first { name in
                guard let request = state.requests[name], request.service == service else { return false }
                if case .waiting = request.state { return true }
                return false
            }
            if let waiting { return (waiting, false) }
            state.last += 1
            let name = "request-\(state.last)"
            state.requests[name] = Request(service: service, isOver: Signal(), state: .waiting(name))
            state.names.append(name)
            if state.names.count > Self.most { state.requests[state.names.removeFirst()] = nil }
            return (name, true)
        }
        guard isNew else { return .waiting(name) }
        let isStarted = Supervisor.detach { [self] in finish(name, ask(lender, call)) }
        if !isStarted { finish(name, .refused("No thread is left to ask the owner.")) }
        return state.withLock { $0.requests[name]?.state } ?? .unknown
    }

    private func ask(_ lender: Lender, _ call: UseLoanCall) -> DeskState {
        do throws(AgentError) {
            try lender.inTurn { (line) throws(AgentError) in _ = try line.ask(call) }
            return lender.left(in: lender.listed()).map { .approved(DeskApproval($0)) }
                ?? .refused("The approval has ended already.")
        } catch {
            return .refused("\(lender.service.name): \(error.inCommandWords(for: lender.service.item).message)")
        }
    }

    private func finish(_ name: String, _ result: DeskState) {
        let signal = state.withLock { state in
            state.requests[name]?.state = result
            return state.requests[name]?.isOver
        }
        signal?.give()
    }

    func state(of request: String, waitingSeconds: Int) -> DeskState {
        guard let found = state.withLock({ $0.requests[request] }) else { return .unknown }
        if case .waiting = found.state, waitingSeconds > 0, found.isOver.wait(upTo: waitingSeconds * 1000) {
            // The next one who waits is woken, too.
            found.isOver.give()
        }
        return state.withLock { $0.requests[request]?.state } ?? .unknown
    }
}

extension DeskApproval {
    fileprivate init(_ left: LoanEntry) {
        self.init(usesLeft: left.usesLeft, secondsLeft: left.secondsLeft.map { Int($0) })
    }
}

extension LoanAsking {
    /// The times when the owner is asked, as tools say them.
    fileprivate var word: DeskAsking {
        switch self {
        case .never: .never
        case .eachLease: .eachLease
        case .eachUse: .eachUse
        }
    }
}
