internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import LatchkeyCLI
internal import LoanProver
internal import LoanRules
internal import PlainText
internal import ScenarioFormat

/// The proofs about a profile, in lines.
struct LoanReport {
    private(set) var lines: [String] = []
    /// True if every claim is as its profile expects.
    private(set) var isAsExpected = true

    private static let assumption =
        "What the program was given, it keeps: answers, codes, signatures, and credentials that a request makes a server hand out."

    init(_ profile: LoanProfile, _ claims: [LoanFile.Claim]) throws {
        lines += ["", "After your last answer, and until the next one, the program can use"]
        for service in profile.services { lines.append("  \(service.name): \(try Self.rest(of: service))") }
        lines.append(Self.assumption)
        if !claims.isEmpty { lines.append("") }
        for claim in claims {
            guard let service = profile.services.first(where: { $0.name == claim.claim.service }) else { continue }
            try prove(claim, about: service)
        }
    }

    private static func prover(of service: LoanService) throws -> LoanProver? {
        guard let expected = PolicyPreset.policy(named: service.policy) else { return nil }
        let policy = LentPolicy(try expected.control(), reuses: expected.allowsReuse)
        do throws(StoringError) { return try LoanProver(policy, service.lease) } catch {
            throw AgentError(.request, "\(service.name): \(error)")
        }
    }

    /// Returns what is left of a service after an approval.
    private static func rest(of service: LoanService) throws -> String {
        // No rule of the agent ends what the program has.
        if service.release != nil { return "\(service.item) itself, without an end: it has it, and can keep it" }
        guard let prover = try prover(of: service) else {
            return "what the policy of \(service.item) allows. Name it, as in \"policy: presence\", to have this proved"
        }
        func holds(_ claim: LoanClaim.Statement) -> Bool {
            if case .holds = prover.prove(claim) { true } else { false }
        }
        let ends = LoanEvent.allCases.filter { $0 != .start && holds(.never(after: $0)) }.map(\.ending)
        let end = "nothing after \(enumerated(ends, "or"))"
        if holds(.atMostUses(1)) {
            return isGoingOn(service)
                ? "the requests of the command of git that you approved, for a minute" : "nothing: each use asks"
        }
        let time = counted(service.lease.minutes, "minute")
        guard holds(.endsWithin(minutes: service.lease.minutes)) else {
            return "any number of uses at any time, because the policy never asks; \(end)"
        }
        guard let uses = service.lease.uses else { return "any number of uses within \(time), and \(end)" }
        switch prover.prove(.atMostUses(uses)) {
        case .holds: return "\(counted(uses, "use")), with the one that you approved, within \(time), and \(end)"
        case .fails: return "more than \(counted(uses, "use")) within \(time), and \(end)"
        case .undecided: return "some uses within \(time) (there are too many situations to prove how many), and \(end)"
        }
    }

    /// Returns true if further requests belong to a use that was approved.
    private static func isGoingOn(_ service: LoanService) -> Bool {
        guard case .requests(let loan) = service.uses, loan.git != nil else { return false }
        return PolicyPreset.policy(named: service.policy)?.allowsReuse == true
    }

    private mutating func prove(_ claim: LoanFile.Claim, about service: LoanService) throws {
        guard let prover = try Self.prover(of: service) else { return }
        let place = "\(Terminal.line(claim.position.file)):\(claim.position.line)"
        let known = claim.claim.expectsFailure ? ", as expected" : ""
        if service.release != nil {
            isAsExpected = isAsExpected && claim.claim.expectsFailure
            lines.append("fails  \(claim.claim.words)\(known)  \(place)")
            lines.append("       1. the program gets \(Terminal.line(service.item)) itself, and keeps it")
            return
        }
        switch prover.prove(claim.claim.statement) {
        case .holds(let situations):
            isAsExpected = isAsExpected && !claim.claim.expectsFailure
            lines.append("holds  \(claim.claim.words)  \(place)  (\(counted(situations, "situation")))")
        case .fails(let story):
            isAsExpected = isAsExpected && claim.claim.expectsFailure
            lines.append("fails  \(claim.claim.words)\(known)  \(place)")
            lines += story.enumerated().map { "       \($0 + 1). \($1.words(of: service.name))" }
        case .undecided:
            isAsExpected = false
            lines.append("open   \(claim.claim.words)  \(place): there are too many situations to search")
        }
    }
}

extension LoanEvent {
    /// The event, in a sentence about the end of a loan.
    fileprivate var ending: String {
        switch self {
        case .start: "the beginning"
        case .lock: "a lock"
        case .enroll: "a change of the fingers"
        case .passcode: "a change of the passcode"
        case .end: "the end of the loan"
        }
    }
}

extension LoanMove {
    /// The move, in a story about a service.
    fileprivate func words(of service: String) -> String {
        switch self {
        case .request(let request, _): "the program \(request.words(of: service)), and no prompt is answered"
        case .approval(let request, _, let answer):
            "the program \(request.words(of: service)), and you answer a prompt for it, if there is one, with \(answer == .finger ? "a finger" : "the passcode")"
        case .event(.lock): "the vault is locked"
        case .event(.passcodeEntered): "you unlock the vault with the passcode"
        case .event(.presented): "you unlock the vault with a finger"
        case .event(.enrolled): "a finger is enrolled"
        case .event(.removed): "a finger is removed"
        case .event(.passcodeChanged): "you change the passcode"
        case .event(let event): "\(event)"
        case .end: "the loan is ended"
        case .wait: "time passes"
        }
    }
}

extension LoanWorld.Request {
    fileprivate func words(of service: String) -> String {
        switch self {
        case .use: "uses \(service)"
        case .unsent: "tries to use \(service), and nothing is sent"
        case .following: "makes a request that belongs to its last use of \(service)"
        }
    }
}
