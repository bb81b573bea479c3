internal import AgentProtocol
internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Sandbox

/// A program in a sandbox of its own.
struct SandboxPlace: LoanPlace {
    private let sandbox: Sandbox
    private let addresses: LoanAddresses
    private let facts: [SandboxFact]
    let clients: ClientRules

    /// Makes the sandbox, and tries it. Its program has to wait for ``run()``.
    ///
    /// - Parameter places: The places that the paths of the plan led to when its owner agreed.
    init(_ plan: SandboxPlan, at addresses: LoanAddresses, agreedTo places: [String], token: LoanToken) throws {
        self.addresses = addresses
        // The ports of the machine are open to all its users.
        clients = plan.sharesNetwork ? ClientRules(.loopback(PathTrust.thisUser), token: token) : ClientRules()
        do throws(SandboxError) {
            sandbox = try Sandbox(plan)
            facts = sandbox.check()
        } catch { throw AgentError(.unavailable, "\(error)") }
        guard sandbox.places == places else {
            sandbox.end()
            throw AgentError(
                .request,
                "a path of the profile leads elsewhere than when it was shown, so nothing was started: try again")
        }
        let expected = plan.sharesNetwork ? SandboxFact.ofNetwork : []
        let open = facts.filter { !$0.isKeptOut && !expected.contains($0.what) }
        guard open.isEmpty else {
            sandbox.end()
            throw AgentError(
                .unavailable,
                "the sandbox does not keep these out, so nothing was started: \(enumerated(open.map(\.what), "and"))")
        }
    }

    var words: [String] {
        let kept = facts.filter(\.isKeptOut).map(\.what)
        return ["The sandbox was tried, and keeps out \(enumerated(kept, "and"))."]
    }

    func listener(named name: String, _ number: Int) throws -> Int32 {
        if addresses.isOpenToAll { return try addresses.machinePort(number) }
        do throws(SandboxError) { return try sandbox.listen(onLoopback: addresses.port(number)).descriptor } catch {
            throw AgentError(.unavailable, "\(error)")
        }
    }

    func run() throws -> Int32 {
        do throws(SandboxError) { try sandbox.start() } catch { throw AgentError(.unavailable, "\(error)") }
        let status = sandbox.wait()
        for trap in sandbox.traps {
            Output.complain(
                "the program left \(Terminal.line(trap)), with which git would run programs for you: look at it, and remove it"
            )
        }
        return status
    }

    func end() { sandbox.end() }
}
