import AgentProtocol
import DeviceModel
import Foundation
import Latchkey
import LoanProver
import Prompts
import SecretService
import SecretVault
import SodiumKit
import Synchronization
import Testing
import UserPresence

@testable import VaultService

/// The loan of a secret of a real vault, with an owner and a clock that the test rules. It makes the moves of the model.
final class LoanOfTest: Visitor {
    private struct State {
        var now: Int64 = 0
        /// The answers to prompts of the loan; nil outside of it, where the owner gives all.
        var answer: LoanMove.OwnersAnswer?
        var prompts = 0
        /// The visit over which the secret is lent; nil if there is none now.
        var lender: Visit?
        var mark: String?
        var last: Int?
        var passcode = VaultOfTest.passcode
        var enrolled: Set<String> = []
    }

    /// The times of the loan, as its list has them.
    struct Left: Hashable {
        var uses: Int?
        var seconds: Int64?
    }

    private let vault: VaultOfTest
    private let keychain: Keychain
    private let state = Mutex(State())
    private let made = Mutex<VaultService?>(nil)
    private let terms: LoanTerms
    private var service: VaultService { made.withLock { $0! } }

    private static let fingers = ["first", "second"]
    private static let secret = "the lent secret"

    init(_ policy: ItemPolicy, uses: Int?, minutes: Int) throws {
        vault = try VaultOfTest(fakeSensor: true, settings: VaultSettings([.reuse: 600]))
        keychain = try Keychain.open(at: vault.path, sensor: .fake)
        terms = LoanTerms(borrower: "site", command: "make", target: "https://a.test", uses: uses, minutes: minutes)
        let settings = try keychain.settings
        let service = try VaultService(keychain, at: vault.place, ReadSettings(settings, of: vault.place)) {
            [weak self] in self?.state.withLock { $0.now } ?? 0
        }
        made.withLock { $0 = service }
        service.serve(in: self)
        try owner(UnlockCall())
        try enroll(Self.fingers[0])
        try owner(AddCall("lent", policy, comment: nil, replaces: false), try SecureBytes(Self.secret))
        try owner(AllowLendingCall("lent", allowing: [terms.target]))
        _ = try lending()
    }

    deinit {
        made.withLock { $0 }?.endParts()
        keychain.close()
    }

    private func visit() -> Visit {
        Visit(
            service, Peer(running: getpid(), of: getuid()), nil, caller: nil, sharesAuthentications: false,
            putsOffLock: false)
    }

    /// Does something at another terminal, where the owner answers every prompt.
    private func owner<Call: Deed>(_ call: Call, _ secret: consuming SecureBytes? = nil) throws(AgentError) {
        state.withLock { $0.answer = nil }
        let visit = visit()
        defer { visit.end() }
        _ = try visit.perform(call, AskedRequest(mayAsk: true, by: self), secret)
    }

    // MARK: - Moves

    /// Makes a move. Returns its outcome, where a use without a prompt is one that belongs to the last, too.
    func make(_ move: LoanMove) -> LoanWorld.Outcome {
        do throws(AgentError) {
            switch move {
            case .request(let request, _): return try use(request, nil)
            case .approval(let request, _, let answer): return try use(request, answer)
            case .event(.lock): try owner(LockCall())
            case .event(.passcodeEntered): try owner(UnlockCall())
            case .event(.enrolled(let finger)): try enroll(Self.fingers[Int(finger.rawValue)])
            case .event(.removed(let finger)):
                let name = Self.fingers[Int(finger.rawValue)]
                try owner(RemoveEnrolledCall(name))
                state.withLock { _ = $0.enrolled.remove(name) }
            case .event(.passcodeChanged):
                try owner(ChangePasscodeCall())
                state.withLock { $0.passcode = Self.nextPasscode }
            case .event(let event): Issue.record("\(event) is no event of this test")
            case .end: try owner(EndLoansCall(nil))
            case .wait(let time): state.withLock { $0.now = max($0.now, time) }
            }
            return .used
        } catch { return .refused }
    }

    private func enroll(_ name: String) throws(AgentError) {
        try owner(EnrollCall(name))
        state.withLock { _ = $0.enrolled.insert(name) }
    }

    private static let nextPasscode = "another horse battery"

    private func use(_ request: LoanWorld.Request, _ answer: LoanMove.OwnersAnswer?) throws(AgentError)
        -> LoanWorld.Outcome
    {
        let lender = try lending()
        let (before, last) = state.withLock { state in
            state.answer = answer
            return (state.prompts, state.last)
        }
        let former = request == .following ? last : nil
        var taken = try lender.perform(
            UseLoanCall(method: "POST", path: "/", former: former),
            AskedRequest(mayAsk: answer != nil, by: self), nil)
        #expect(taken.secret.take()?.array() == Array(Self.secret.utf8), "another secret was lent")
        if request == .unsent {
            _ = try lender.perform(
                GiveBackUseCall(taken.reply.number), AskedRequest(mayAsk: false, by: self), nil)
        } else {
            state.withLock { $0.last = taken.reply.number }
        }
        if state.withLock({ $0.prompts }) > before { return .approved }
        return former == taken.reply.number ? .belonged : .used
    }

    /// Returns the visit that lends. After a lock another one goes on, as that of a lender does.
    private func lending() throws(AgentError) -> Visit {
        let (present, mark) = state.withLock { ($0.lender, $0.mark) }
        if let present { return present }
        let visit = visit()
        var call = LendCall("lent", terms)
        call.former = mark
        do throws(AgentError) {
            let reply = try visit.perform(call, AskedRequest(mayAsk: false, by: self), nil).reply
            state.withLock { ($0.lender, $0.mark, $0.last) = (visit, reply.mark, nil) }
            return visit
        } catch {
            visit.end()
            throw error
        }
    }

    /// The uses and the seconds that are left without a prompt, as the list of loans has them.
    var left: Left {
        let entries = service.loans.all.map { $0.entry(at: state.withLock { $0.now }, locks: service.kept.locks) }
        return Left(uses: entries.first?.usesLeft, seconds: entries.first?.secondsLeft)
    }

    // MARK: - The other end of the visits

    var isGone: Bool { false }
    var user: any DeviceUser { ClosureUser { [weak self] prompt in self?.answer(prompt) ?? .cancel } }
    func take(part: [UInt8]) throws(AgentError) {}
    func show(_ user: ApprovingUser) -> AgentError? { nil }

    func cut() {
        let lender = state.withLock { state in
            defer { (state.lender, state.last) = (nil, nil) }
            return state.lender
        }
        lender?.end()
    }

    private func answer(_ prompt: Prompt) -> Response {
        let (answer, passcode) = state.withLock { state in
            state.prompts += 1
            return (state.answer, prompt.content.kind == .newPasscode ? Self.nextPasscode : state.passcode)
        }
        switch (prompt.content.kind, answer) {
        case (.biometry, .finger), (.biometry, nil):
            return .touch(showing: state.withLock { $0.enrolled.sorted().first })
        case (.biometry, .passcode): return .fallback
        case (_, .passcode), (_, nil):
            do { return .typed(try SecureBytes(passcode)) } catch { return .cancel }
        default: return .cancel
        }
    }
}

extension LoanOfTest: ServiceHost {
    var sleepTrouble: String? { nil }
    var limitTroubles: [String] { [] }
    var sshSocket: String? { nil }
    var sshTrouble: String? { nil }
    var busState: (word: String, owner: Int32?, trouble: String?) { ("off", nil, nil) }
    func user(for caller: SecretCaller) -> (any DeviceUser)? { nil }
    func stop() { Issue.record("the service ends") }
    func wake() {}
}
