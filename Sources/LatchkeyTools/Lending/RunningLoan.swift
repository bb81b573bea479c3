internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText
internal import Sandbox
internal import SodiumKit
internal import TLSClient

/// A program in its sandbox, and the couriers that serve it.
struct RunningLoan {
    private let sandbox: Sandbox
    private let lenders: [Lender]
    private let couriers: [Courier]
    private let profile: LentProfile
    private let facts: [SandboxFact]

    /// The port of the first service. Each sandbox has all ports of its own.
    private static let firstPort: UInt16 = 4001
    /// The variable with the address of the tools for coding agents.
    static let toolsVariable = "LENT_TOOLS"

    /// Makes the sandbox, and the couriers of its services.
    init(
        _ profile: LentProfile, _ words: [String], _ lenders: [Lender], keepingOut guarded: [String],
        _ authorities: String?
    ) throws {
        (self.profile, self.lenders) = (profile, lenders)
        var plan = SandboxPlan(command: words, work: profile.work)
        (plan.reads, plan.guarded) = (profile.reads, guarded)
        plan.environment = Self.environment(of: profile.profile.services)
        do throws(SandboxError) {
            sandbox = try Sandbox(plan)
            facts = sandbox.check()
        } catch { throw AgentError(.unavailable, "\(error)") }
        guard sandbox.places == profile.places else {
            sandbox.end()
            throw AgentError(
                .request,
                "a path of the profile leads elsewhere than when it was shown, so nothing was started: try again")
        }
        let open = facts.filter { !$0.isKeptOut }
        guard open.isEmpty else {
            sandbox.end()
            throw AgentError(
                .unavailable,
                "the sandbox does not keep these out, so nothing was started: \(enumerated(open.map(\.what)))")
        }
        let trust: TLSClient
        do throws(TLSError) { trust = try TLSClient(trusting: authorities.map { .file($0) } ?? .system) } catch {
            throw AgentError(.unavailable, "\(error)")
        }
        var couriers: [Courier] = []
        for (number, lender) in lenders.enumerated() {
            couriers.append(try Self.courier(lender, in: sandbox, at: Self.port(number), trust))
        }
        self.couriers = couriers
    }

    private static func port(_ number: Int) -> UInt16 { firstPort + UInt16(number) }

    private static func url(_ number: Int) -> String { "http://127.0.0.1:\(port(number))" }

    /// Returns the variables of the services. Each has its address in one of its own, too.
    private static func environment(of services: [LoanService]) -> [(name: String, value: String)] {
        // Clients want a credential. These words are worth nothing.
        let placeholder = "lent_by_latchkey"
        var environment: [(name: String, value: String)] = []
        var settings = GitEnvironment()
        for (number, service) in services.enumerated() {
            let url = url(number) + service.path
            environment.append((service.addressVariable, url))
            if case .requests(let loan) = service.uses, let git = loan.git {
                settings.add(git, at: loan.server, by: self.url(number))
            }
            for variable in service.variables {
                let value =
                    switch variable.value {
                    case .url: url
                    case .v1: url + "/v1"
                    case .placeholder: placeholder
                    }
                environment.append((variable.name, value))
            }
        }
        return environment + settings.variables
    }

    private static func courier(
        _ lender: Lender, in sandbox: Sandbox, at port: UInt16, _ trust: TLSClient
    ) throws -> Courier {
        let listener: Int32
        do throws(SandboxError) { listener = try sandbox.listen(onLoopback: port).descriptor } catch {
            throw AgentError(.unavailable, "\(error)")
        }
        guard let base = WireOrigin(.http, host: "127.0.0.1", port: port) else {
            preconditionFailure("this is an address")
        }
        switch lender.service.uses {
        case .requests(let loan): return try courier(lender, loan, listener, base, trust)
        case .local(let use):
            let port = LocalPort(lender, use)
            let courier = try Courier(
                answeredBy: port, name: lender.service.name, listener: listener, base: base)
            port.serve(courier)
            return courier
        }
    }

    private static func courier(
        _ lender: Lender, _ loan: ServerLoan, _ listener: Int32, _ base: WireOrigin, _ trust: TLSClient
    ) throws -> Courier {
        let keeper = ServerKeeper(lender, loan)
        var lent = LentService(name: lender.service.name, origin: loan.server, field: loan.form.field)
        lent.passesRedirects = loan.passesRedirects
        if let git = loan.git {
            lent.reader = GitUses(git, of: lender.service.name, for: lender.borrower)
            // Packs are large, and a server looks at all of a push before it answers.
            (lent.bodyLimit, lent.headMilliseconds) = (2 << 30, 600_000)
        }
        let courier = try Courier(lent, listener: listener, base: base, keeper: keeper) { () throws(UpstreamError) in
            try TLSUpstream(to: loan.server, trust)
        }
        keeper.serve(courier)
        return courier
    }

    /// Says which secrets the program will have. What it does with them later is beyond any sandbox.
    func warn() {
        for service in profile.profile.services where service.release != nil {
            Output.complain(
                "\(service.name) GIVES OUT \(service.item): the program will have the secret itself, and can keep it")
        }
    }

    /// Says what is lent, and what the sandbox keeps out.
    func describe(_ asking: [LoanAsking]) {
        for (number, (service, asking)) in zip(profile.profile.services, asking).enumerated() {
            let times =
                switch asking {
                case .never: "its policy never asks"
                case .eachLease: "asks once for each lease"
                case .eachUse: "asks each time"
                }
            Output.confirm("\(service.name): \(Self.url(number))\(service.path) is \(service.words); \(times)")
        }
        Output.confirm("The sandbox was tried, and keeps out \(enumerated(facts.map(\.what), "and")).")
    }

    /// Runs the program. Returns its exit status.
    func finish() throws -> Int32 {
        for courier in couriers { courier.start() }
        do throws(SandboxError) { try sandbox.start() } catch { throw AgentError(.unavailable, "\(error)") }
        let status = sandbox.wait()
        for courier in couriers { courier.end() }
        for lender in lenders { lender.end() }
        for trap in sandbox.traps {
            Output.complain(
                "the program left \(Terminal.line(trap)), with which git would run programs for you: look at it, and remove it"
            )
        }
        return status
    }
}
