internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Sandbox
internal import SodiumKit
internal import TLSClient

/// A program in its sandbox, and the couriers that serve it.
struct RunningLoan {
    private let sandbox: Sandbox
    private let lenders: [Lender]
    private let servers: [any LoanServer]
    private let profile: LentProfile
    private let facts: [SandboxFact]
    /// The folder of the socket for SSH clients; nil if no logins are lent.
    private let socketFolder: String?

    /// The port of the first service. Each sandbox has all ports of its own.
    private static let firstPort: UInt16 = 4001
    /// The variable with the address of the tools for coding agents.
    static let toolsVariable = "LENT_TOOLS"

    /// Makes the sandbox, and the couriers of its services.
    init(
        _ profile: LentProfile, _ words: [String], _ lenders: [Lender], at place: AgentPlace, _ authorities: String?
    ) throws {
        (self.profile, self.lenders) = (profile, lenders)
        var plan = SandboxPlan(command: words, work: profile.work)
        (plan.reads, plan.guarded) = (profile.reads, [place.vault, place.socketFolder])
        plan.environment = Self.environment(of: profile.profile.services)
        let logins = lenders.filter { $0.service.account != nil }
        if !logins.isEmpty { Leftovers.neverRemain() }
        socketFolder = logins.isEmpty ? nil : TemporaryPlace.make(in: place.socketFolder)
        plan.sockets = socketFolder
        plan.settings = Self.settings(of: profile.profile.services).files
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
        var servers: [any LoanServer] = []
        var agent: StreamServer?
        if !logins.isEmpty {
            let made = try Self.agent(of: logins, in: socketFolder)
            agent = made
            servers.append(made)
        }
        for (number, lender) in lenders.enumerated() {
            servers.append(try Self.server(lender, in: sandbox, at: Self.port(number), trust, agent))
        }
        self.servers = servers
    }

    /// Makes the agent for SSH clients in the sandbox.
    private static func agent(of logins: [Lender], in folder: String?) throws -> StreamServer {
        guard let folder else { throw AgentError(.agent, "no folder could be made for the socket of SSH clients") }
        let keys = LentKeys(logins)
        let listener = try SocketFiles.listen(at: "\(folder)/\(LoginSettings.socketName)")
        do throws(SystemError) { return try StreamServer(listener: listener) { keys.serve($0) } } catch {
            throw AgentError(.agent, "\(error)")
        }
    }

    /// Returns the settings by which SSH clients find the hosts.
    private static func settings(of services: [LoanService]) -> LoginSettings {
        var settings = LoginSettings()
        for (number, service) in services.enumerated() {
            if let account = service.account { settings.add(account, at: port(number)) }
        }
        return settings
    }

    private static func port(_ number: Int) -> UInt16 { firstPort + UInt16(number) }

    private static func url(_ number: Int) -> String { "http://127.0.0.1:\(port(number))" }

    /// The address of a service, as programs in the sandbox name it.
    private static func address(of service: LoanService, _ number: Int) -> String {
        service.account?.clientAddress ?? url(number) + service.path
    }

    /// Returns the variables of the services. Each has its address in one of its own, too.
    private static func environment(of services: [LoanService]) -> [(name: String, value: String)] {
        // Clients want a credential. These words are worth nothing.
        let placeholder = "lent_by_latchkey"
        var environment: [(name: String, value: String)] = []
        var settings = GitEnvironment()
        for (number, service) in services.enumerated() {
            let url = address(of: service, number)
            environment.append((service.addressVariable, url))
            if let account = service.account { settings.add(account) }
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
        if services.contains(where: { $0.account != nil }) {
            environment.append(("SSH_AUTH_SOCK", "\(SandboxPlan.socketFolder)/\(LoginSettings.socketName)"))
        }
        return environment + settings.variables
    }

    private static func server(
        _ lender: Lender, in sandbox: Sandbox, at port: UInt16, _ trust: TLSClient, _ agent: StreamServer?
    ) throws -> any LoanServer {
        let listener: Int32
        do throws(SandboxError) { listener = try sandbox.listen(onLoopback: port).descriptor } catch {
            throw AgentError(.unavailable, "\(error)")
        }
        guard let base = WireOrigin(.http, host: "127.0.0.1", port: port) else {
            preconditionFailure("this is an address")
        }
        switch lender.service.uses {
        case .requests(let loan): return try courier(lender, loan, listener, base, trust)
        case .logins(let account): return try relay(lender, account, listener, agent)
        case .local(let use):
            let port = LocalPort(lender, use)
            let courier = try Courier(
                answeredBy: port, name: lender.service.name, listener: listener, base: base)
            port.serve(courier)
            return courier
        }
    }

    private static func relay(
        _ lender: Lender, _ account: SSHAccount, _ listener: Int32, _ agent: StreamServer?
    ) throws -> StreamServer {
        let relay: StreamServer
        do throws(SystemError) { relay = try LoginRelay.make(lender, to: account, listener: listener) } catch {
            throw AgentError(.agent, "\(error)")
        }
        lender.interrupting { [weak relay, weak agent] in
            agent?.interrupt()
            relay?.interrupt()
        }
        return relay
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
            Output.confirm("\(service.name): \(Self.address(of: service, number)) is \(service.words); \(times)")
        }
        Output.confirm("The sandbox was tried, and keeps out \(enumerated(facts.map(\.what), "and")).")
    }

    /// Runs the program. Returns its exit status.
    func finish() throws -> Int32 {
        for server in servers { server.start() }
        do throws(SandboxError) { try sandbox.start() } catch { throw AgentError(.unavailable, "\(error)") }
        let status = sandbox.wait()
        for server in servers { server.end() }
        for lender in lenders { lender.end() }
        if let socketFolder { TemporaryPlace.remove(socketFolder) }
        for trap in sandbox.traps {
            Output.complain(
                "the program left \(Terminal.line(trap)), with which git would run programs for you: look at it, and remove it"
            )
        }
        return status
    }
}
