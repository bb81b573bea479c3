internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import SodiumKit
internal import TLSClient

/// A loan at its place, and the servers of its services.
struct RunningLoan {
    private let place: any LoanPlace
    private let addresses: LoanAddresses
    private let lenders: [Lender]
    private let servers: [any LoanServer]
    private let logins: LentLogins
    private let profile: LentProfile

    /// The variable with the address of the tools for coding agents.
    static let toolsVariable = "LENT_TOOLS"

    /// Makes the place, and the servers of its services.
    ///
    /// - Parameter make: Makes the place, with these variables and logins.
    init(
        _ profile: LentProfile, at addresses: LoanAddresses, _ lent: [(lender: Lender, asks: LoanAsking)],
        _ agentPlace: AgentPlace, _ token: LoanToken, _ authorities: String?,
        placing make: ([(name: String, value: String)], LentLogins) throws -> any LoanPlace
    ) throws {
        (self.profile, self.addresses, lenders) = (profile, addresses, lent.map { $0.lender })
        let trust: TLSClient
        do throws(TLSError) { trust = try TLSClient(trusting: authorities.map { .file($0) } ?? .system) } catch {
            throw AgentError(.unavailable, "\(error)")
        }
        logins = try LentLogins(lenders, at: agentPlace, addresses)
        place = try make(
            Self.environment(of: profile.profile.services, at: addresses, token) + logins.variables, logins)
        do {
            servers = try Self.servers(of: lent, at: place, addresses, trust, logins)
        } catch {
            place.end()
            logins.end()
            throw error
        }
    }

    /// Returns the variables of the services. Each has its address in one of its own, too.
    private static func environment(
        of services: [LoanService], at addresses: LoanAddresses, _ token: LoanToken
    ) -> [(name: String, value: String)] {
        // Clients want a credential. This one is worth nothing elsewhere.
        let placeholder = token.text
        var environment: [(name: String, value: String)] = []
        var settings = GitEnvironment()
        for (number, service) in services.enumerated() {
            let url = addresses.url(number) + service.path
            environment.append((service.addressVariable, addresses.name(of: service, number)))
            if let account = service.account { settings.add(account) }
            if case .requests(let loan) = service.uses, let git = loan.git {
                settings.add(
                    git, at: loan.server, by: addresses.url(number), carrying: addresses.isOpenToAll ? token : nil)
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
        if case .inside = addresses {
            environment.append((toolsVariable, addresses.url(services.count) + ToolPort.path))
        }
        return environment + settings.variables
    }

    // MARK: - Servers

    private static func servers(
        of lent: [(lender: Lender, asks: LoanAsking)], at place: any LoanPlace, _ addresses: LoanAddresses,
        _ trust: TLSClient, _ logins: LentLogins
    ) throws -> [any LoanServer] {
        var servers: [any LoanServer] = []
        let agent = try logins.agent()
        if let agent { servers.append(agent) }
        for (number, lender) in lent.map({ $0.lender }).enumerated() {
            let listener = try place.listener(named: lender.service.name, number)
            let base = try Self.base(addresses.port(number))
            servers.append(try server(lender, listener, base, place.clients, trust, agent))
        }
        if case .inside = addresses {
            let (listener, base) = (
                try place.listener(named: "tools", lent.count), try Self.base(addresses.port(lent.count))
            )
            servers.append(
                try Courier(
                    answeredBy: ToolPort(LoanTools(lent)), name: "the tools", to: place.clients, listener: listener,
                    base: base))
        }
        return servers
    }

    private static func base(_ port: UInt16) throws(AgentError) -> WireOrigin {
        guard let base = WireOrigin(.http, host: "127.0.0.1", port: port) else {
            throw AgentError(.agent, "there is no port \(port)")
        }
        return base
    }

    private static func server(
        _ lender: Lender, _ listener: Int32, _ base: WireOrigin, _ clients: ClientRules, _ trust: TLSClient,
        _ agent: StreamServer?
    ) throws -> any LoanServer {
        switch lender.service.uses {
        case .requests(let loan): return try courier(lender, loan, listener, base, clients, trust)
        case .logins(let account): return try relay(lender, account, listener, agent)
        case .local(let use):
            let port = LocalPort(lender, use)
            let courier = try Courier(
                answeredBy: port, name: lender.service.name, to: clients, listener: listener, base: base)
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
        _ lender: Lender, _ loan: ServerLoan, _ listener: Int32, _ base: WireOrigin, _ clients: ClientRules,
        _ trust: TLSClient
    ) throws -> Courier {
        let keeper = ServerKeeper(lender, loan)
        var lent = LentService(name: lender.service.name, origin: loan.server, field: loan.form.field)
        (lent.passesRedirects, lent.clients) = (loan.passesRedirects, clients)
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

    // MARK: - Running

    /// Says which secrets the program will have. What it does with them later is beyond any sandbox.
    func warn() {
        for service in profile.profile.services where service.release != nil {
            Output.complain(
                "\(service.name) GIVES OUT \(service.item): the program will have the secret itself, and can keep it")
        }
    }

    /// Says what is lent, and what its place keeps out.
    func describe(_ asking: [LoanAsking]) {
        for (number, (service, asking)) in zip(profile.profile.services, asking).enumerated() {
            let times =
                switch asking {
                case .never: "its policy never asks"
                case .eachLease: "asks once for each lease"
                case .eachUse: "asks each time"
                }
            Output.confirm("\(service.name): \(addresses.name(of: service, number)) is \(service.words); \(times)")
        }
        for sentence in place.words { Output.confirm(sentence) }
    }

    /// Runs the program, or serves until a signal comes. Returns the exit status.
    func finish() throws -> Int32 {
        for server in servers { server.start() }
        defer {
            for server in servers { server.end() }
            for lender in lenders { lender.end() }
            logins.end()
        }
        return try place.run()
    }
}
