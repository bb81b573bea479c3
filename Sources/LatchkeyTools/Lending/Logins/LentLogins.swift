internal import AgentProtocol
internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import Sandbox
internal import SodiumKit

/// The things that SSH clients in a sandbox find: an agent with the keys that are lent, and settings that lead to the hosts.
struct LentLogins {
    /// The folder of the agent's socket; nil if no logins are lent.
    let folder: String?
    private let lenders: [Lender]
    private var settings = LoginSettings()

    /// Prepares the logins among what is lent.
    init(_ lenders: [Lender], at place: AgentPlace, _ addresses: LoanAddresses) throws {
        self.lenders = lenders.filter { $0.service.account != nil }
        if self.lenders.isEmpty {
            folder = nil
            return
        }
        guard case .inside = addresses else {
            throw AgentError(
                .request,
                "logins are lent to a program in a sandbox without the network: leave out --to, --network and --no-boundary"
            )
        }
        Leftovers.neverRemain()
        folder = TemporaryPlace.make(in: place.socketFolder)
        for (number, lender) in lenders.enumerated() {
            if let account = lender.service.account { settings.add(account, at: addresses.port(number)) }
        }
    }

    /// Adds what clients need to the plan of a sandbox.
    func complete(_ plan: inout SandboxPlan) {
        plan.sockets = folder
        plan.settings = settings.files
    }

    /// The variables by which clients find the agent.
    var variables: [(name: String, value: String)] {
        lenders.isEmpty ? [] : [("SSH_AUTH_SOCK", "\(SandboxPlan.socketFolder)/\(LoginSettings.socketName)")]
    }

    /// Makes the agent; nil if no logins are lent.
    func agent() throws -> StreamServer? {
        if lenders.isEmpty { return nil }
        guard let folder else { throw AgentError(.agent, "no folder could be made for the socket of SSH clients") }
        let keys = LentKeys(lenders)
        let listener = try SocketFiles.listen(at: "\(folder)/\(LoginSettings.socketName)")
        do throws(SystemError) { return try StreamServer(listener: listener) { keys.serve($0) } } catch {
            throw AgentError(.agent, "\(error)")
        }
    }

    func end() { if let folder { TemporaryPlace.remove(folder) } }
}
