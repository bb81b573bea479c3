internal import AccessPolicy
package import AgentProtocol
internal import HTTPWire
internal import Latchkey
internal import LoanRules
internal import SecretVault
package import SodiumKit

extension AllowLendingCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var servers = LendingServers(of: try visit.stored(name))
        if allowed.isEmpty && forbidden.isEmpty { return CallResult(Reply(servers: servers.all)) }
        guard allowed.count + forbidden.count <= Self.mostAtOnce else {
            throw AgentError(
                .request,
                "one prompt shows at most \(Self.mostAtOnce) servers: allow or forbid the others with the next command")
        }
        try servers.change(allowing: try Self.servers(allowed), forbidding: try Self.servers(forbidden))
        let (context, _) = try visit.context(asked)
        try visit.askForPasscode(in: context, because: "change the servers that \(name) may be lent for")
        try visit.change(name, servers.change, .keep, asked)
        return CallResult(Reply(servers: servers.all))
    }

    /// The most servers of one request, because its prompt names each.
    private static let mostAtOnce = 4

    /// The notes of its prompt: the servers, as the list has them.
    var notes: [String] {
        func notes(_ label: String, _ texts: [String]) -> [String] {
            texts.compactMap { WireOrigin(server: $0) }.map { "\(label): \($0.text)" }
        }
        return notes("New server", allowed) + notes("No longer", forbidden)
    }

    private static func servers(_ texts: [String]) throws(AgentError) -> [String] {
        try texts.map { (text) throws(AgentError) in
            guard let server = WireOrigin(server: text) else {
                throw AgentError(.request, "a server is named by https:// and its host, as in https://api.example.com")
            }
            return server.text
        }
    }
}
