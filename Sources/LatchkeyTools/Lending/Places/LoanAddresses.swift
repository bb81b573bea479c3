internal import AgentProtocol
internal import LoanRules
internal import Sandbox

/// The addresses of the services of a loan, in the order of the profile.
enum LoanAddresses: Sendable {
    /// Ports of a sandbox with a network of its own.
    case inside
    /// Ports of this machine.
    case machine([LoopbackPort])
    /// Sockets in a folder, named by the services. Where something forwards TCP to them, it has the ports of a sandbox.
    case folder(String)

    /// The port of the first service. Each sandbox has all ports of its own.
    private static let firstPort: UInt16 = 4001

    /// Takes a port of this machine for each service.
    static func ofMachine(_ count: Int) throws(SandboxError) -> LoanAddresses {
        var ports: [LoopbackPort] = []
        for _ in 0..<count { ports.append(try LoopbackPort()) }
        return .machine(ports)
    }

    /// True if every user of the machine can connect.
    var isOpenToAll: Bool { if case .machine = self { true } else { false } }

    func port(_ number: Int) -> UInt16 {
        switch self {
        case .machine(let ports): ports[number].number
        case .inside, .folder: Self.firstPort + UInt16(number)
        }
    }

    /// Returns the descriptor of a port of this machine.
    func machinePort(_ number: Int) throws(AgentError) -> Int32 {
        guard case .machine(let ports) = self else { throw AgentError(.request, "it has no port of this machine") }
        return ports[number].descriptor
    }

    func url(_ number: Int) -> String { "http://127.0.0.1:\(port(number))" }

    /// The address of a service, as programs name it.
    func name(of service: LoanService, _ number: Int) -> String {
        service.account?.clientAddress ?? socket(of: service.name) ?? url(number) + service.path
    }

    /// The path of the socket of a service; nil if it has a port.
    func socket(of service: String) -> String? {
        if case .folder(let folder) = self { "\(folder)/\(service).sock" } else { nil }
    }
}
